import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { apollia, npmServers } from './paths'
import { listens, processesAtHome, Program, until } from './processes'

interface Ready {
  url: string
  sign_in_url: string
}

export interface Ended {
  code: number | null
  output: string
  errors: string
}

/** One `apollia serve` with a data folder, a home and a temporary folder of its own. */
export class Core {
  readonly folder: string
  readonly home: string
  readonly data: string
  readonly env: NodeJS.ProcessEnv
  private serve: Program | undefined
  private ready: Ready | undefined

  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'core-'))
    this.home = join(this.folder, 'home')
    this.data = join(this.folder, 'data')
    const temporary = join(this.folder, 'tmp')
    for (const folder of [this.home, this.data, temporary]) mkdirSync(folder)
    this.env = {
      PATH: `${npmServers}:${process.env.PATH ?? ''}`,
      HOME: this.home,
      TMPDIR: temporary,
      APOLLIA_HOME: this.data,
      APOLLIA_LISTEN: '127.0.0.1:0',
      LANG: 'C.UTF-8',
    }
  }

  /** Starts it and waits until it answers; again after kill, over the same data. */
  async start(): Promise<this> {
    this.serve = new Program(apollia, ['serve', '--json'], { env: this.env, cwd: this.home })
    this.ready = JSON.parse(await this.serve.firstLine()) as Ready
    this.env.APOLLIA_LISTEN = new URL(this.url).host // a later start takes the same address, where browsers look for it
    return this
  }

  /** A link that signs a browser in, once. */
  get signInUrl(): string {
    return this.here.sign_in_url
  }

  get url(): string {
    return this.here.url
  }

  private get here(): Ready {
    if (!this.ready) throw new Error('the core was not started')
    return this.ready
  }

  /** Starts one command of the command line beside it. */
  command(...args: string[]): Program {
    return new Program(apollia, args, { env: this.env, cwd: this.home })
  }

  /** Runs one command to its end. */
  async run(...args: string[]): Promise<Ended> {
    const program = this.command(...args)
    await program.ended
    return { code: program.code, output: program.output, errors: program.errors }
  }

  /** Runs a command that must succeed, and reads what it prints with --json. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, output, errors } = await this.run(...args, '--json')
    if (code !== 0) throw new Error(`apollia ${args.join(' ')} ended with ${code}: ${output}${errors}`)
    return JSON.parse(output) as T
  }

  /** Adds the real "everything" server over stdio, and waits until it is ready. */
  async addEverything(): Promise<void> {
    await this.json(
      'mcp',
      'add-server',
      '--name',
      'everything',
      '--transport',
      'stdio',
      '--command',
      'mcp-server-everything',
      '--arg',
      'stdio',
    )
  }

  /** Starts a call of its echo as an agent on the command line does, which waits for a person. */
  echo(message: string, wait = 60): Program {
    return this.command(
      'mcp',
      'call',
      'everything',
      'echo',
      '--args',
      JSON.stringify({ message }),
      '--wait',
      String(wait),
      '--json',
    )
  }

  /** Ends it as a crash does. */
  kill(): Promise<void> {
    return this.owner.end('SIGKILL')
  }

  /** Ends it in good order and makes sure that it leaves no process, no port and no file. */
  async close(): Promise<void> {
    if (!this.owner.running) await this.start() // the next start is what clears up after a crash
    const port = Number(new URL(this.url).port)
    await this.owner.end()
    await until(`no process is left of ${this.home}`, () => processesAtHome(this.home).length === 0)
    await until(`port ${port} is free again`, async () => !(await listens(port)))
    rmSync(this.folder, { recursive: true })
  }

  private get owner(): Program {
    if (!this.serve) throw new Error('the core was not started')
    return this.serve
  }
}
