/** Whether a value is, or holds, a reference such as ${TOKEN}, so that nothing secret is written down. */
export const hasReference = (value: string) => /\$\{[^}]+\}/.test(value)

/** Whether a value stands for a secret that is kept already. */
export const isKept = (value: string) => /^(Bearer )?\$\{secret:[^}]+\}$/.test(value)
