export * from './duration'
export * from './number'
export * from './time'
