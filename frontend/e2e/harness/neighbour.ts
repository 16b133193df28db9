import { fakeNeighbour, fakeServer } from './paths'
import { Program, until } from './processes'

/** What another computer announces, as in backend/lantest.Order. */
export interface Announced {
  name: string
  port: number
  addresses: string[]
  text?: string[]
}

/** The processes that hold the networks of the neighbours, as in-own-network.sh made them; one for each worker. */
function holderOf(number: number): string {
  const holder = process.env.APOLLIA_E2E_NEIGHBOURS?.split(' ')[number]
  if (holder === undefined) throw new Error('the tests run in a network of their own: e2e/in-own-network.sh')
  return holder
}

/** Another computer on a network with this one: a namespace of the kernel, joined by a pair of links. */
export class Neighbour {
  readonly ours: string
  readonly theirs: string
  private readonly holder: string
  private readonly program: Program
  private readonly servers: Program[] = []
  private answers = 0

  /** Each has a network of its own number. */
  constructor(readonly number: number) {
    this.ours = `10.77.${number}.1`
    this.theirs = `10.77.${number}.2`
    this.holder = holderOf(number)
    this.program = this.run([fakeNeighbour], 'pipe')
  }

  /** Starts an MCP server there and gives its port. */
  async serve(): Promise<number> {
    const server = this.run([fakeServer, '-transport', 'http', '-addr', `${this.theirs}:0`])
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

  /** Runs a program on that computer. */
  private run(command: readonly string[], input: 'ignore' | 'pipe' = 'ignore'): Program {
    return new Program('nsenter', ['-t', this.holder, '-n', ...command], { env: { PATH: process.env.PATH } }, input)
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
