import { join } from 'node:path'
import { fakeServer, npmServers } from './paths'
import { freePort, listens, Program, until } from './processes'

export interface Running {
  url: string
  end: () => Promise<void>
}

/** The real "everything" server in one of its two remote modes. */
export async function everything(mode: 'streamableHttp' | 'sse', home: string): Promise<Running> {
  const port = await freePort()
  const program = new Program(join(npmServers, 'mcp-server-everything'), [mode], {
    env: { PATH: process.env.PATH, HOME: home, PORT: String(port) },
  })
  await until(`everything listens on ${port}: ${program.errors}`, () => listens(port))
  return {
    url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    end: async () => {
      await program.end()
      await until(`port ${port} is free again`, async () => !(await listens(port)))
    },
  }
}

/** A server of ours over HTTP or SSE that misbehaves as its flags say; without any it behaves. */
export async function fake(transport: 'http' | 'sse', ...flags: string[]): Promise<Running> {
  const program = new Program(fakeServer, ['-transport', transport, ...flags], { env: {} })
  return { url: await program.firstLine(), end: () => program.end() }
}
