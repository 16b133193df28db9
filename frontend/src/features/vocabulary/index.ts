export { ConfigFileBadge, EffectMark, RevisionBadge, TransportBadge, TrustBadge } from './badges'
export { sayFailure, useFailureWords, type FailureWords } from './failure'
export { FailureNote } from './FailureNote'
export { ServerStateWord, stateLooks } from './ServerStateWord'
