export { MovedNote } from './MovedNote'
export { NetworkDock } from './NetworkDock'
export { networkKeys, useAnnounce, useAnnouncement, useDraftFound, useLook, useNetwork } from './queries'
