// Gives the French words their spaces: no-break inside « » and before : and %, narrow no-break before ; ! and ?.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../src/locales/fr.json', import.meta.url)
const spaced = (text) =>
  text
    .replace(/ ([;!?])/g, '\u202f$1')
    .replace(/ ([:%»])/g, '\u00a0$1')
    .replace(/« /g, '«\u00a0')
const walk = (value) =>
  typeof value === 'string' ? spaced(value) : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, walk(v)]))

writeFileSync(file, `${JSON.stringify(walk(JSON.parse(readFileSync(file, 'utf8'))), null, 2)}\n`)
