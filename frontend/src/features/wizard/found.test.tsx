import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { aReport } from '@/testing/core'
import { Found } from './Found'

const template = (n: number) => ({ server: 'pg', name: `t${n}`, uri_template: `pg://{table}/${n}` })

it('names the templates of addresses beside the resources, folded when they are many', async () => {
  const templates = Array.from({ length: 9 }, (_, n) => template(n))
  render(<Found report={aReport({ resources: [{ server: 'pg', name: 'schema', uri: 'pg://schema' }], templates })} />)
  expect(screen.getByText('pg://schema')).toBeDefined()
  expect(screen.getByRole('heading', { name: '9 templates' })).toBeDefined()
  expect(screen.getByText('pg://{table}/6')).toBeDefined()
  expect(screen.queryByText('pg://{table}/8')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'and 2 others' }))
  expect(screen.getByText('pg://{table}/8')).toBeDefined()
})

it('says nothing of templates where there are none', () => {
  render(<Found report={aReport()} />)
  expect(screen.queryByText(/template/)).toBeNull()
})
