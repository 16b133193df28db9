export { FirstRun } from './FirstRun'
