export { MovedNote } from './MovedNote'
export { NetworkDock } from './NetworkDock'
export { networkKeys, useAnnounce, useAnnouncement, useDraftFound, useIsSearched, useLook, useNetwork } from './queries'
