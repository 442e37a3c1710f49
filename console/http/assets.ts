import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { STYLE } from '../../pages/style.ts'
import { WALLET_SCRIPT } from '../../pages/wallet-script.ts'
import { CONSOLE_STYLE } from '../look/style.ts'

const htmxFile = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')
const own = (name: string): string => readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')

const SOURCES = {
  'console.css': { type: 'text/css', text: STYLE + CONSOLE_STYLE },
  'htmx.js': { type: 'text/javascript', text: readFileSync(htmxFile, 'utf8') },
  'page.js': { type: 'text/javascript', text: own('page.js') },
  'wallet.js': { type: 'text/javascript', text: WALLET_SCRIPT },
}
export type AssetName = keyof typeof SOURCES

const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** Files of the pages, by their addresses, which change with their content. */
export const ASSETS = new Map(Object.entries(SOURCES).map(([name, asset]) => [`/assets/${versionOf(asset.text)}/${name}`, asset]))

/** Address of a file of the pages. */
export const assetAddress = (name: AssetName): string => `/assets/${versionOf(SOURCES[name].text)}/${name}`
