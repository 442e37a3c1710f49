// The compiler package has no types of its own.
import { createRequire } from 'node:module'

interface Solc {
  version(): string
  compile(standardInput: string): string
}

const require = createRequire(import.meta.url)
export const solc: Solc = require('solc')
