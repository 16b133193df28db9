import { wantsSignIn } from '@/features/signin'
import type { StepName, TestReport, TestStep, Transport } from '@/lib/api'

/** How a row of the test stands. */
export type RowState = 'ok' | 'skipped' | 'running' | 'failed' | 'sign-in' | 'untried'

export interface TestRow {
  name: StepName
  state: RowState
  detail: string
  /** Milliseconds; undefined while it was not tried. */
  ms: number | undefined
  /** The bar on the common time axis, in percent. */
  bar: { left: number; width: number }
}

/** The steps of a test, in order; a program is started, a remote server reached. */
export function stepsOf(transport: Transport): readonly StepName[] {
  const reach: StepName = transport === 'stdio' ? 'spawn' : 'connect'
  return ['resolve', reach, 'handshake', 'version', 'capabilities', 'tools', 'resources', 'prompts']
}

/** The whole time of a test so far, in milliseconds. */
export const elapsedOf = (report: Pick<TestReport, 'steps'>) =>
  report.steps.reduce((end, step) => Math.max(end, step.start_ms + step.ms), 0)

/** One row per step, tried or not. now is the time since the start, in milliseconds, for the step that runs. */
export function rowsOf(report: TestReport, now: number): TestRow[] {
  const total = Math.max(report.running ? now : 0, elapsedOf(report), 1)
  return stepsOf(report.transport).map((name) => {
    const step = report.steps.find((one) => one.name === name)
    if (!step) return { name, state: 'untried', detail: '', ms: undefined, bar: { left: 0, width: 0 } }
    const ms = step.running ? Math.max(now - step.start_ms, step.ms) : step.ms
    const bar = { left: (100 * step.start_ms) / total, width: Math.max((100 * ms) / total, 1) }
    return { name, state: stateOf(step, report), detail: step.detail ?? '', ms, bar }
  })
}

function stateOf(step: TestStep, report: TestReport): RowState {
  if (step.running && report.running) return 'running'
  if (step.skipped) return 'skipped'
  if (step.ok) return 'ok'
  return wantsSignIn(report.error) ? 'sign-in' : 'failed'
}

/** Sections the server announced, in the order people know them. */
export const announced = (report: Pick<TestReport, 'capabilities'>) => Object.keys(report.capabilities ?? {})

/** The lines of a proof, with those that say what went wrong. */
export function proofLines(proof: string): { text: string; loud: boolean }[] {
  return proof
    .split('\n')
    .filter((line, n, all) => line.trim() !== '' || n < all.length - 1)
    .map((text) => ({
      text,
      loud: /\b(error|fatal|exception|panic|denied|refused|not set|missing|cannot|failed)\b/i.test(text),
    }))
}

/** Shortens the person's own folder as shells do. */
export const shortPath = (path: string) => path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/)/, '~')

/** Reads the counts in a step's detail: "12", or "7 + 2" for resources and templates. */
export function countsOf(detail: string): [number | undefined, number | undefined] {
  const [, first, second] = /^(\d+)(?: \+ (\d+))?$/.exec(detail) ?? []
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  return [number(first), number(second)]
}
