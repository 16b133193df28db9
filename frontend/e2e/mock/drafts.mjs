// A rough reading of pasted texts and a rough check of drafts: enough to look at the wizard's screens.
export function parse(text) {
  if (text.includes('mcpServers')) {
    return {
      format: 'json',
      read: 'mcpServers',
      secrets: 1,
      definitions: [
        {
          name: 'postgres-compta',
          transport: 'stdio',
          command: 'npx',
          args: ['-y', '@acme/mcp-postgres', '--schema', 'compta'],
          env: [
            { name: 'DATABASE_URL', value: 'postgres://compta:s3cret@10.2.0.14/db', secret: true },
            { name: 'PGAPPNAME', value: 'apollia' },
            { name: 'PGSSLROOTCERT', value: '${HOME}/certs/acme.pem' },
          ],
        },
      ],
    }
  }
  if (/^https?:/.test(text)) {
    const host = text.replace(/^https?:\/\//, '').split(/[/:]/)[0]
    return {
      format: 'url',
      read: 'url',
      secrets: 0,
      definitions: [
        { name: host || 'server', transport: text.endsWith('/sse') ? 'sse' : 'streamable_http', url: text },
      ],
    }
  }
  const [command, ...args] = text.trim().split(/\s+/)
  return {
    format: 'command',
    read: 'command',
    secrets: 0,
    definitions: [{ name: args.at(-1) ?? command, transport: 'stdio', command, args }],
  }
}

const reference = /\$\{(?:env:)?(\w+)/

export function check(definition) {
  const id = definition.name.replace(/\W/g, '_').toLowerCase()
  const errors = []
  const variables = []
  const add = (field, code, message, args = {}) => errors.push({ field, error: { code, message, args } })
  if (!definition.name) add('name', 'invalid_name', 'the name is empty')
  if (definition.transport === 'stdio' && !definition.command) add('command', 'invalid_input', 'the program is missing')
  if (definition.transport !== 'stdio' && !/^https?:\/\/./.test(definition.url ?? ''))
    add('url', 'invalid_input', 'this is not the address of a server')
  for (const list of ['env', 'headers'])
    for (const [n, { name, value }] of (definition[list] ?? []).entries()) {
      const used = reference.exec(value)?.[1]
      if (!used) continue
      const found = used !== 'ACME_REGION'
      variables.push({ name: used, field: `${list}[${n}].value`, found, from: found ? 'process' : '' })
      if (!found) add(`${list}[${n}].value`, 'variable_unset', `${used} is not set`, { variable: used, field: name })
    }
  return {
    id,
    prefix: `mcp_${id}__`,
    errors,
    program: definition.command === 'npx' ? '/home/lea/.nvm/versions/node/v22.11.0/bin/npx' : '',
    variables,
    passed: ['PATH', 'HOME', 'LANG', 'USER', 'SHELL', 'TERM', 'TMPDIR', 'LOGNAME', 'XDG_RUNTIME_DIR'],
    preview:
      definition.transport === 'stdio'
        ? [definition.command, ...(definition.args ?? [])].join(' ')
        : `POST ${definition.url}`,
  }
}
