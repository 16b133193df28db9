export { HaltBar } from './HaltBar'
export { useHalt, useStopAll } from './queries'
