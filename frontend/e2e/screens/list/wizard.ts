import { expect, type Page } from '@playwright/test'
import { reports, servers, tools } from '../fixtures'
import type { Words } from '../../harness/words'
import { checked, from, type Answers } from '../pretend'
import type { Screen } from '../screen'
import { mentions, presses, says, then, type Reach } from './reach'

const snippet = `{
  "mcpServers": {
    "postgres-compta": {
      "command": "npx",
      "args": ["-y", "@acme/mcp-postgres", "--schema", "compta"],
      "env": { "DATABASE_URL": "postgres://compta:s3cret@10.2.0.14/db", "PGAPPNAME": "apollia" }
    }
  }
}`
const two = snippet.replace('  }\n}', '  , "acme-internal": { "url": "https://mcp.acme.internal/mcp" } }\n}')

const pastes =
  (text: string): Reach =>
  async (page, t) => {
    await page.getByLabel(t('wizard.paste.title')).fill(text)
  }
const goesOn: Reach = presses('wizard.continue')
export const chooses =
  (key: string): Reach =>
  (page, t) =>
    page.getByRole('radio', { name: t(key), exact: true }).click()
const titled =
  (key: string): Reach =>
  (page, t) =>
    expect(page.getByRole('heading', { level: 1 })).toHaveText(
      t(`wizard.head.${key}.title`, { name: 'postgres-compta' }),
    )

const pasted = then(pastes(snippet), says('wizard.paste.filledSecrets', { count: 1 }))
export const atParameters = then(
  pasted,
  goesOn,
  titled('authLocal'),
  goesOn,
  titled('stdio'),
  says('wizard.where.keyring'),
)
const tested = then(atParameters, presses('wizard.test.go'))
export const remote = then(chooses('wizard.transports.streamable_http.name'), goesOn, titled('auth'))

async function fillsAddress(page: Page, t: Words): Promise<void> {
  await page.getByLabel(t('wizard.name'), { exact: true }).fill('acme-internal')
  await page.getByLabel(t('wizard.url'), { exact: true }).fill('https://mcp.acme.internal/mcp')
}

export const reporting = (report: unknown): Answers => ({ 'POST /api/tests': report, 'GET /api/tests/*': report })

/** What the core finds wrong with a draft, with an unset variable among it. */
const faults = from(({ definition }: { definition: { name: string } }) => ({
  ...checked,
  errors: [
    { field: 'name', error: servers.failure('duplicate_name', { name: definition.name }) },
    { field: 'env[2].value', error: servers.failure('variable_unset', { variable: 'ACME_HOME' }) },
  ],
  variables: [{ name: 'ACME_HOME', field: 'env[2].value', found: false }],
}))

export const wizard: Screen[] = [
  { name: 'wizard-transport-normal', path: '/add', reach: titled('transport') },
  { name: 'wizard-transport-pasted', path: '/add', reach: pasted },
  {
    name: 'wizard-transport-several',
    path: '/add',
    reach: then(pastes(two), says('wizard.paste.filledSecrets', { count: 1 })),
  },
  {
    name: 'wizard-transport-unknown',
    path: '/add',
    reach: then(pastes('what is this'), says('wizard.paste.unchanged')),
  },
  {
    name: 'wizard-transport-leaving',
    path: '/add',
    reach: then(pasted, presses('common.cancel'), says('wizard.leave.title')),
  },
  { name: 'wizard-auth-local', path: '/add', reach: then(goesOn, titled('authLocal')) },
  { name: 'wizard-auth-normal', path: '/add', reach: remote },
  {
    name: 'wizard-auth-token',
    path: '/add',
    reach: then(remote, chooses('wizard.auth.bearer.name'), (page, t) =>
      page.getByRole('textbox', { name: t('wizard.auth.token'), exact: true }).fill('acme-s3cret-token-4711'),
    ),
  },
  {
    name: 'wizard-auth-key',
    path: '/add',
    reach: then(remote, chooses('wizard.auth.api-key.name'), says('wizard.auth.keyName')),
  },
  {
    name: 'wizard-auth-oauth',
    path: '/add',
    reach: then(remote, chooses('wizard.auth.oauth.name'), says('wizard.auth.oauth.client')),
  },
  { name: 'wizard-parameters-stdio', path: '/add', reach: atParameters },
  {
    name: 'wizard-parameters-faults',
    path: '/add',
    answers: { 'POST /api/drafts/check': faults },
    reach: then(atParameters, mentions('wizard.faults.count', { count: 2 })),
  },
  {
    name: 'wizard-parameters-advanced',
    path: '/add',
    reach: then(atParameters, presses('wizard.advanced.title'), says('wizard.cwd')),
  },
  {
    name: 'wizard-parameters-http',
    path: '/add',
    reach: then(
      remote,
      chooses('wizard.auth.bearer.name'),
      (page, t) =>
        page.getByRole('textbox', { name: t('wizard.auth.token'), exact: true }).fill('acme-s3cret-token-4711'),
      goesOn,
      titled('http'),
      fillsAddress,
    ),
  },
  {
    name: 'wizard-test-running',
    path: '/add',
    answers: reporting(reports.running),
    reach: then(tested, says('wizard.cancelTest')),
  },
  {
    name: 'wizard-test-failed',
    path: '/add',
    answers: reporting(reports.missingVariable),
    reach: then(tested, says('wizard.test.todo')),
  },
  {
    name: 'wizard-test-signin',
    path: '/add',
    answers: reporting(reports.signIn),
    reach: then(tested, says('wizard.test.todo')),
  },
  { name: 'wizard-test-passed', path: '/add', reach: then(tested, says('wizard.head.passed.lead')) },
  {
    name: 'wizard-test-warning',
    path: '/add',
    answers: reporting(reports.withoutTools),
    reach: then(tested, says('wizard.head.passed.lead')),
  },
  {
    name: 'wizard-test-odd',
    path: '/add',
    answers: reporting({
      ...reports.passed,
      ...tools.oddInstructions,
      prompts: [{ server: '', name: 'bilan', findings: tools.odd }],
    }),
    reach: then(tested, says('findings.inTest')),
  },
  { name: 'wizard-disclaimer-normal', path: '/add', reach: then(tested, goesOn, titled('disclaimer')) },
  {
    name: 'wizard-disclaimer-ticked',
    path: '/add',
    reach: then(tested, goesOn, titled('disclaimer'), (page) => page.getByRole('checkbox').click()),
  },
  { name: 'wizard-edit-normal', path: '/servers/postgres_compta/edit', reach: titled('stdio') },
]
