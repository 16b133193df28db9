import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** How long anything may take before a test gives up on it, in milliseconds. */
const bound = 60_000

/** Asks again and again until the answer is yes; says what was waited for when the bound is over. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + bound
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await wait(25)
  }
}

/** A program of ours with all that it wrote so far. */
export class Program {
  readonly process: ChildProcess
  output = ''
  errors = ''
  readonly ended: Promise<unknown>

  /** input is what it reads: nothing, or a pipe that stays open for a program that ends with it. */
  constructor(command: string, args: readonly string[], options: SpawnOptions, input: 'ignore' | 'pipe' = 'ignore') {
    this.process = spawn(command, args, { ...options, stdio: [input, 'pipe', 'pipe'] })
    this.process.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text))
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text))
    this.ended = once(this.process, 'close')
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error('the program did not start')
    return this.process.pid
  }

  get code(): number | null {
    return this.process.exitCode
  }

  /** The first line of its output. */
  async firstLine(): Promise<string> {
    await until(`a first line of output; it wrote to stderr: ${this.errors}`, () => {
      if (!this.running) throw new Error(`the program ended at once: ${this.errors}`)
      return this.output.includes('\n')
    })
    return this.output.slice(0, this.output.indexOf('\n'))
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null
  }

  /** Ends it by its own id and waits until it is gone. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.running) this.process.kill(signal)
    await this.ended
  }
}

/** The processes that run with this folder as their HOME: all that one test has started. */
export function processesAtHome(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => environmentOf(pid).split('\0').includes(`HOME=${home}`))
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return '' // it has ended meanwhile, or belongs to someone else
  }
}

/** Whether something listens on a port of this computer. */
export async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise<boolean>((answer) => {
      socket.once('connect', () => answer(true)).once('error', () => answer(false))
    })
  } finally {
    socket.destroy()
  }
}

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
