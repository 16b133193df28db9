import { render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { aReport } from '@/testing/core'
import { TestFindings } from './TestFindings'

it('names the tools whose words to look at, why and where', () => {
  const finding = {
    code: 'hidden_characters',
    field: 'description',
    start: 3,
    end: 4,
    text: '[U+200B]',
    count: 1,
  } as const
  const inParameter = {
    ...finding,
    code: 'asks_for_secrets',
    field: 'input_schema.properties.note.description',
    text: '',
  } as const
  const tools = [
    { server: 'pg', name: 'export', effect: 'writes', findings: [finding, inParameter] } as const,
    { server: 'pg', name: 'echo', effect: 'reads' } as const,
  ]
  render(
    <TestFindings
      report={aReport({
        tools: tools.map((tool) => ({ ...tool, findings: [...('findings' in tool ? tool.findings : [])] })),
      })}
    />,
  )
  const said = within(screen.getByRole('region', { name: 'export' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(said).toEqual([
    'Characters that are not seen in the description[U+200B]',
    'A request for secrets or private text in the parameter note',
  ])
  expect(screen.queryByText('echo')).toBeNull()
})

it('names prompts, resources and the instructions, too', () => {
  const found = (field: string) =>
    ({ code: 'hides_from_person', field, start: 0, end: 4, text: 'hide', count: 1 }) as const
  render(
    <TestFindings
      report={aReport({
        instruction_findings: [found('instructions')],
        prompts: [{ server: 'pg', name: 'ask', findings: [found('arguments.who.description')] }],
        resources: [{ server: 'pg', uri: 'pg://plain', name: 'plain' }],
        templates: [{ server: 'pg', uri_template: 'pg://{id}', name: 'row', findings: [found('title')] }],
      })}
    />,
  )
  const said = screen
    .getAllByRole('region')
    .map((region) => [region.getAttribute('aria-label'), within(region).getByRole('listitem').textContent])
  expect(said).toEqual([
    ['Instructions', 'An order to keep something from you in the instructionshide'],
    ['ask', 'An order to keep something from you in the argument whohide'],
    ['row', 'An order to keep something from you in the titlehide'],
  ])
})

it('says nothing where there is nothing to look at', () => {
  const { container } = render(<TestFindings report={aReport()} />)
  expect(container.textContent).toBe('')
})
