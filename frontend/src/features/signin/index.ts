export { canSignIn, hostOf, isSigningIn, lacksSignIn, subjectOf, wantsSignIn, type Subject } from './attempt'
export { ScopeList } from './ScopeList'
export { SignInOffer } from './SignInOffer'
export { SignInPanel } from './SignInPanel'
export { useTestSignIn, type TestSignIn } from './useTestSignIn'
export { useAttempt, useBeginSignIn, useLeaveSignIn, useServerSignIn, useSignOut } from './useSignIn'
export {
  authOf,
  emptyOAuth,
  isBlank,
  oauthDraftOf,
  oauthFault,
  othersOf,
  type OAuthDraft,
  type OAuthFault,
} from './oauthDraft'
export { OAuthFields } from './OAuthFields'
export { Others } from './Others'
