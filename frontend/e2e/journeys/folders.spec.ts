import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../harness/test'

test('agents reach the folders that a person opens, and no others', async ({ app, t, core }) => {
  const papers = join(core.home, 'papers')
  mkdirSync(papers)
  writeFileSync(join(papers, 'plan.txt'), 'Plant tea.\n')
  const modules = async () =>
    (await core.json<{ categories: { name: string }[] }>('tools', 'categories')).categories.map(({ name }) => name)
  await app.goto(`${core.url}/#/settings`)
  const field = app.getByRole('textbox', { name: t('folders.new') })
  await expect(app.getByText(t('settings.foldersNone'))).toBeVisible()
  expect(await modules()).toEqual([])

  await field.fill(core.data)
  await field.press('Enter')
  await expect(app.getByRole('alert')).toContainText(t('errors.invalid_input.reasons.root_in_data'))
  await field.fill(papers)
  await field.press('Enter')
  await expect(app.getByRole('list', { name: t('settings.folders') }).getByText(papers)).toBeVisible()
  expect(await modules()).toEqual(['database', 'filesystem'])
  const read = ['mcp', 'call', 'native:filesystem', 'read', '--args', '{"path":"plan.txt"}']
  expect(await core.json<{ text: string }>(...read)).toMatchObject({ text: 'Plant tea.\n' })

  await app.getByRole('button', { name: t('folders.remove', { folder: papers }) }).click()
  await expect(app.getByText(t('settings.foldersNone'))).toBeVisible()
  expect(await modules()).toEqual([])
})
