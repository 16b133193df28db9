import { join } from 'node:path'
import { fakeServer, fakeSignIn, npmServers } from './paths'
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

/** How often things happened at a fake sign-in server. */
export interface SignInCounts {
  authorizations: number
  refreshes: number
  revocations: number
}

export interface Protected extends Running {
  /** Ends the access tokens that were given; refresh tokens live on. */
  expire: () => Promise<void>
  counts: () => Promise<SignInCounts>
}

/** A server of ours behind a sign-in of ours, whose page asks the person; its flags are those of oauthfake. */
export async function behindSignIn(...flags: string[]): Promise<Protected> {
  const program = new Program(fakeSignIn, flags, { env: {} }, 'pipe')
  const at = JSON.parse(await program.firstLine()) as { mcp_url: string; control_url: string }
  return {
    url: at.mcp_url,
    expire: async () => {
      await fetch(`${at.control_url}/expire`, { method: 'POST' })
    },
    counts: async () => (await (await fetch(`${at.control_url}/state`)).json()) as SignInCounts,
    end: () => program.end(),
  }
}
