import type { Screen } from '../screen'
import { connexions } from './connexions'
import { explored } from './explorer'
import { inbox } from './inbox'
import { onNetwork } from './network'
import { others } from './others'
import { server } from './server'
import { serverStates } from './serverStates'
import { signIn } from './signIn'
import { wizard } from './wizard'

/** Every screen in every state. */
export const screens: readonly Screen[] = [
  ...connexions,
  ...wizard,
  ...server,
  ...serverStates,
  ...inbox,
  ...signIn,
  ...onNetwork,
  ...explored,
  ...others,
]
