export { Palette, type PaletteProps } from './Palette'
