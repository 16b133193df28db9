import { execFileSync } from 'node:child_process'
import { fakeNeighbour, fakeServer } from './paths'
import { Program, until } from './processes'

/** What another computer announces, as in backend/lantest.Order. */
export interface Announced {
  name: string
  port: number
  addresses: string[]
  text?: string[]
}

const ip = (...args: string[]) => execFileSync('ip', args)

/** Another computer on a network with this one: a namespace of the kernel, joined by a pair of links. */
export class Neighbour {
  readonly ours: string
  readonly theirs: string
  private readonly program: Program
  private readonly servers: Program[] = []
  private answers = 0

  /** Each has a network of its own number, up to 255. */
  constructor(private readonly number: number) {
    this.ours = `10.77.${number}.1`
    this.theirs = `10.77.${number}.2`
    this.program = new Program('unshare', ['--net', fakeNeighbour], { env: { PATH: process.env.PATH } }, 'pipe')
  }

  async start(): Promise<this> {
    await this.order({ Do: 'hello' })
    ip('link', 'add', this.link, 'type', 'veth', 'peer', 'name', 'there', 'netns', String(this.program.pid))
    ip('addr', 'add', `${this.ours}/24`, 'dev', this.link)
    ip('link', 'set', this.link, 'up')
    await this.order({ Do: 'up', Addresses: [`${this.theirs}/24`] })
    return this
  }

  /** Starts an MCP server there and gives its port. */
  async serve(): Promise<number> {
    const inside = ['-t', String(this.program.pid), '-n', fakeServer, '-transport', 'http', '-addr', `${this.theirs}:0`]
    const server = new Program('nsenter', inside, { env: { PATH: process.env.PATH } })
    this.servers.push(server)
    return Number(new URL(await server.firstLine()).port)
  }

  register({ name, port, addresses, text = [] }: Announced): Promise<string> {
    return this.order({
      Do: 'register',
      Name: name,
      Host: `annexe${this.number}`,
      Port: port,
      Addresses: addresses,
      Text: text,
    })
  }

  leave(name: string): Promise<string> {
    return this.order({ Do: 'leave', Name: name })
  }

  /** What another program finds of an announced instance. */
  find(name: string): Promise<string> {
    return this.order({ Do: 'find', Name: name })
  }

  async end(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.end()))
    await this.program.end()
  }

  private get link(): string {
    return `here${this.number}`
  }

  private async order(order: Record<string, unknown>): Promise<string> {
    this.program.process.stdin?.write(`${JSON.stringify(order)}\n`)
    const wanted = ++this.answers
    const lines = () => this.program.output.split('\n')
    await until(`the other computer does ${JSON.stringify(order)}`, () => lines().length > wanted)
    const answer = lines()[wanted - 1] ?? ''
    if (answer.startsWith('error: ')) throw new Error(answer)
    return answer
  }
}
