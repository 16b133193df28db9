export { Palette } from './Palette'
