import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { makeClient, Providers } from '@/app/providers'
import { makeRouter } from '@/app/router'

/** Opens the whole interface at an address, for tests. */
export function openApp(address: string) {
  window.location.hash = address
  render(<Providers client={makeClient()} router={makeRouter()} />)
  return userEvent.setup()
}
