import { expect, test } from '../harness/test'
import { Wizard } from '../harness/wizard'

interface Pasted {
  text: string
  /** The keys of the sentence that says what was recognised. */
  format: string
  read?: string
  servers?: number
  transport: 'stdio' | 'streamable_http' | 'sse'
  secrets?: number
  name: string
  fields: Record<string, string>
}

const pasted: Record<string, Pasted> = {
  'a command line': {
    text: 'API_LEVEL=3 npx -y @acme/mcp-postgres --schema "compta 2026"',
    format: 'command',
    transport: 'stdio',
    name: 'postgres',
    fields: {
      command: 'npx',
      'args[0]': '-y',
      'args[1]': '@acme/mcp-postgres',
      'args[3]': 'compta 2026',
      'env[0].name': 'API_LEVEL',
    },
  },
  'a JSON snippet with two servers': {
    text: '{"mcpServers":{"pg":{"command":"npx","args":["-y","@acme/pg"],"env":{"PG_TOKEN":"s3cr3t-value-4711"}},"web":{"url":"https://mcp.acme.example/mcp"}}}',
    format: 'json',
    read: 'mcpServers',
    servers: 2,
    transport: 'stdio',
    secrets: 1,
    name: 'pg',
    fields: { command: 'npx', 'args[1]': '@acme/pg', 'env[0].name': 'PG_TOKEN', 'env[0].value': '•••••••••••••4711' },
  },
  'a line of claude mcp add': {
    text: 'claude mcp add --transport sse acme https://mcp.acme.example/sse',
    format: 'claude',
    read: 'claude mcp add',
    transport: 'sse',
    name: 'acme',
    fields: { url: 'https://mcp.acme.example/sse' },
  },
  'an address': {
    text: 'https://mcp.acme.example/mcp',
    format: 'url',
    transport: 'streamable_http',
    name: 'acme',
    fields: { url: 'https://mcp.acme.example/mcp' },
  },
}

for (const [what, { text, format, read = '', servers = 1, transport, secrets = 0, name, fields }] of Object.entries(
  pasted,
)) {
  test(`pasting ${what} fills the fields`, async ({ app, t }) => {
    const wizard = new Wizard(app, t)
    await wizard.open()
    await wizard.paste(text)
    const sentence = t('wizard.paste.recognised', {
      format: t(`wizard.paste.formats.${format}`, { read }),
      servers: t('wizard.paste.servers', { count: servers }),
      transport: t(`wizard.transports.${transport}.name`),
    })
    await expect(app.getByRole('status').filter({ hasText: sentence })).toBeVisible()
    await expect(app.getByRole('radio', { name: t(`wizard.transports.${transport}.name`), exact: true })).toBeChecked()
    if (secrets > 0) {
      await expect(app.getByText(t('wizard.paste.filledSecrets', { count: secrets }))).toBeVisible()
    }
    await wizard.button('wizard.continue').click()
    await wizard.button('wizard.continue').click()
    await expect(wizard.field('wizard.name')).toHaveValue(name)
    for (const [field, value] of Object.entries(fields)) {
      await expect(app.locator(`[data-field="${field}"]`)).toHaveValue(value)
    }
  })
}

test('what is not recognised changes nothing and says where it stopped', async ({ app, t }) => {
  const wizard = new Wizard(app, t)
  await wizard.open()
  await wizard.paste('{ "mcpServers": { "pg": nothing } }')
  const sentence = t('wizard.paste.unknown', { as: t('wizard.paste.as.json'), line: 1, column: 26 })
  await expect(app.getByText(sentence)).toBeVisible()
  await expect(app.getByText(t('wizard.paste.unchanged'))).toBeVisible()
  await wizard.button('wizard.paste.clear').click()
  await expect(wizard.field('wizard.paste.title')).toHaveValue('')
})
