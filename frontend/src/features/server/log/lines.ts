import { fold } from '@/features/connexions'
import type { LogLine, LogStream, Server } from '@/lib/api'
import type { Lang } from '@/lib/format'
import { formatTime } from '@/lib/format'

export const streams: readonly LogStream[] = ['stderr', 'stdout', 'server', 'lifecycle']

/** The lines of one stream, or of all, that hold a text. */
export function filterLines(lines: readonly LogLine[], stream: LogStream | 'all', text: string): LogLine[] {
  const wanted = fold(text)
  return lines.filter((line) => (stream === 'all' || line.stream === stream) && fold(line.text).includes(wanted))
}

/** Lines as text to paste somewhere: time, stream, words. */
export function asText(lines: readonly LogLine[], lang: Lang): string {
  return lines.map(({ at, stream, text }) => `${formatTime(at, lang, true)} ${stream} ${text}`).join('\n')
}

/** Whether the server sends log messages of its own: stateless ones send them to whoever asks. */
export const sendsLogs = ({ capabilities, protocol_version }: Pick<Server, 'capabilities' | 'protocol_version'>) =>
  capabilities?.logging !== undefined || (protocol_version ?? '') >= '2026-07-28'
