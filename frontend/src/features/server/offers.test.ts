import { expect, it } from 'vitest'
import { addressOf, promptSchema, templateSchema } from './offers'

it('gives a prompt a form of texts', () => {
  const args = [
    { name: 'mois', title: 'Mois', required: true },
    { name: 'note', description: 'Facultatif', required: false },
  ]
  expect(promptSchema({ arguments: args })).toMatchObject({
    properties: { mois: { type: 'string', title: 'Mois' }, note: { type: 'string', description: 'Facultatif' } },
    required: ['mois'],
  })
  expect(promptSchema({})).toMatchObject({ properties: {}, required: [] })
})

it('gives a template a form of its variables', () => {
  expect(templateSchema('compta://{year}/{month}{?q}')).toMatchObject({
    properties: { year: {}, month: {}, q: {} },
  })
  expect(templateSchema('{broken')).toMatchObject({ properties: {} })
})

it('works out the address', () => {
  expect(addressOf({ uri: 'a:b' }, { x: 'ignored' })).toBe('a:b')
  expect(addressOf({ uri_template: 'a://{x}{?q}' }, { x: 'é 1' })).toBe('a://%C3%A9%201')
  expect(addressOf({ uri_template: '{broken' }, {})).toBe('')
})
