const dots = '•'

/** A secret as it may be shown: dots, with the last four of one that is long enough to stay secret. */
export function masked(secret: string): string {
  if (secret === '') return ''
  if (secret.length < 12) return dots.repeat(secret.length)
  return dots.repeat(Math.min(secret.length - 4, 18)) + secret.slice(-4)
}
