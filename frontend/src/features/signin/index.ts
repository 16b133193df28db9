export { canSignIn, isSigningIn, subjectOf, type Subject } from './attempt'
export { SignInOffer } from './SignInOffer'
export { SignInPanel } from './SignInPanel'
export { useAttempt, useBeginSignIn, useLeaveSignIn } from './useSignIn'
