import { freePort } from '../harness/processes'
import { fakeServer } from '../harness/paths'
import { expect, test } from '../harness/test'
import { Wizard, type Step } from '../harness/wizard'
import type { Words } from '../harness/words'

type StartFake = (transport: 'http' | 'sse', ...flags: string[]) => Promise<string>

interface Failing {
  /** A local program and its arguments, or the address of a server. */
  start: string[] | ((startFake: StartFake) => Promise<string> | string)
  /** Seconds it may take to start. */
  limit?: number
  /** The step that fails. */
  step: string
  /** The cause, in one sentence. */
  cause: (t: Words, host: string) => string
  proof?: RegExp
  /** The likeliest thing to do, by its key, and the field its button leads to. */
  fix: { key: string; args?: Record<string, string | number>; step: Step; field?: string }
}

const misbehaving = (...flags: string[]): string[] => [fakeServer, '-transport', 'stdio', ...flags]
const fakeUrl =
  (...flags: string[]) =>
  (startFake: StartFake): Promise<string> =>
    startFake('http', ...flags)
const toAddress = { key: 'address', step: 'parameters', field: 'url' } as const

const causes: Record<string, Failing> = {
  'an unknown command': {
    start: ['no-such-program'],
    step: 'resolve',
    cause: (t) => t('errors.program_not_found.more', { program: 'no-such-program' }),
    proof: /\/usr\/bin/,
    fix: { key: 'command', step: 'parameters', field: 'command' },
  },
  'a closed port': {
    start: async () => `http://127.0.0.1:${await freePort()}/mcp`,
    step: 'connect',
    cause: (t, host) => t('errors.connection_refused.more', { host }),
    proof: /connection refused/,
    fix: toAddress,
  },
  'a certificate nobody vouches for': {
    start: fakeUrl('-tls'),
    step: 'connect',
    cause: (t, host) => t('errors.tls_failed.reasons.unknown_authority', { host }),
    proof: /Acme Co/,
    fix: toAddress,
  },
  'a name that is nowhere': {
    start: () => `http://${'a'.repeat(64)}.example/mcp`, // one letter longer than a name may be: known without asking
    step: 'resolveHost',
    cause: (t, host) => t('errors.dns_failed.more', { host }),
    proof: /no such host/,
    fix: toAddress,
  },
  'a web page': {
    start: fakeUrl('-behave', 'html'),
    step: 'handshake',
    cause: (t) => t('errors.html_instead_of_mcp.what'),
    proof: /<h1>Welcome<\/h1>/,
    fix: toAddress,
  },
  'status 500': {
    start: fakeUrl('-behave', 'broken'),
    step: 'handshake',
    cause: (t) => t('errors.http_status.more', { status: '500' }),
    proof: /database is down/,
    fix: toAddress,
  },
  'status 401': {
    start: fakeUrl('-behave', 'unauthorized'),
    step: 'handshake',
    cause: (t) => t('errors.sign_in_needed.more', { status: '401' }),
    proof: /Bearer resource_metadata=/,
    fix: { key: 'token', step: 'auth', field: 'auth' },
  },
  'a server that prints nothing': {
    start: misbehaving('-behave', 'silent'),
    limit: 1,
    step: 'handshake',
    cause: (t) => t('errors.no_answer.more', { method: 'initialize' }),
    fix: { key: 'arguments', step: 'parameters', field: 'args' },
  },
  'a server that dies': {
    start: misbehaving('-behave', 'die'),
    step: 'handshake',
    cause: (t) => t('errors.server_exited.more', { exit_code: '3' }),
    proof: /fatal: cannot read the configuration/,
    fix: { key: 'arguments', step: 'parameters', field: 'args' },
  },
  'a server that misses a variable': {
    start: misbehaving('-behave', 'die', '-text', 'Error: ACME_TOKEN is not set'),
    step: 'handshake',
    cause: (t) => t('wizard.test.variableMissing', { variable: 'ACME_TOKEN' }),
    proof: /ACME_TOKEN is not set/,
    fix: { key: 'addVariable', args: { name: 'ACME_TOKEN' }, step: 'parameters', field: 'env[0].value' },
  },
  'something that is not JSON-RPC': {
    start: misbehaving('-behave', 'garbage'),
    limit: 3,
    step: 'handshake',
    cause: (t) => t('errors.not_json_rpc.what'),
    proof: /Server starting, please wait/,
    fix: { key: 'arguments', step: 'parameters', field: 'args' },
  },
}

for (const [name, failing] of Object.entries(causes)) {
  test(`the test names the cause: ${name}`, async ({ app, t, core, startFake }) => {
    const { start, limit, step, cause, proof, fix } = failing
    const wizard = new Wizard(app, t)
    await wizard.open()
    let host = ''
    if (Array.isArray(start)) {
      const [command = '', ...args] = start
      await wizard.toParameters('stdio')
      await wizard.program('acme', command, ...args)
    } else {
      const url = await start(startFake)
      host = new URL(url).host
      await wizard.toParameters('streamable_http')
      await wizard.address('acme', url)
    }
    if (limit !== undefined) await wizard.limit(limit)
    await wizard.test()
    const row = wizard.row(step)
    const told = row.getByRole('alert')
    await expect(told).toBeVisible()
    await expect(told.getByText(cause(t, host))).toBeVisible()
    if (proof !== undefined)
      await expect(told.getByRole('group', { name: t('wizard.test.proof.label') })).toHaveText(proof)
    await expect(wizard.button('wizard.continue')).toBeDisabled()
    await told.getByRole('button', { name: t(`wizard.fixes.${fix.key}.button`, fix.args), exact: true }).click()
    await expect(app.locator('[aria-current=step]')).toContainText(t(`wizard.step.${fix.step}`))
    if (fix.field !== undefined) await expect(app.locator(`[data-field^="${fix.field}"]`).first()).toBeFocused()
    expect(await core.json('mcp', 'list')).toEqual({ servers: [] })
  })
}

test('a server that is not there is put right with one click, and only then can be added', async ({
  app,
  t,
  core,
  remotes,
}) => {
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('streamable_http')
  await wizard.address('acme', remotes.http.replace('/mcp', '/nowhere'))
  await wizard.test()
  const told = wizard.row('handshake').getByRole('alert')
  await expect(told).toContainText(t('errors.http_status.more', { status: '404' }))
  await told.getByRole('button', { name: t('wizard.fixes.tryAddress.button'), exact: true }).click()
  await wizard.passed()
  await expect(app.getByText(t('wizard.attempt', { n: 2 }))).toBeVisible()
  expect(await core.json('mcp', 'list')).toEqual({ servers: [] })
})

test('a slow server gets more time with one click', async ({ app, t }) => {
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('stdio')
  await wizard.program('acme', fakeServer, '-transport', 'stdio', '-behave', 'slow-init', '-delay', '4500ms')
  await wizard.limit(4)
  await wizard.test()
  await wizard.button('wizard.fixes.timeout.button', { seconds: 8 }).click()
  await wizard.passed()
})

test('a server without tools passes with a warning', async ({ app, t }) => {
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.toParameters('stdio')
  await wizard.program('acme', fakeServer, '-transport', 'stdio', '-behave', 'no-tools')
  await wizard.test()
  await wizard.passed()
  await expect(app.getByRole('note')).toContainText(t('errors.not_announced.what'))
  await expect(wizard.row('tools')).toContainText(t('wizard.test.notAnnounced'))
})
