import { encodeAbiParameters, type Hex, keccak256, pad, size } from 'viem'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { SYSTEM_PRECOMPILE } from '../../../domain/identity/native/mapping.ts'
import { type Rpc, rpcTo } from '../../contracts/support/rpc.ts'

const hex = (value: number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')

/** Code that returns these bytes to every call: they follow its 13 bytes. */
const codeReturning = (answer: Hex): Hex => `0x61${hex(size(answer), 2)}61${hex(13, 2)}5f3961${hex(size(answer), 2)}5ff3${answer.slice(2)}`

const answering = (bytes: Hex): Hex => codeReturning(encodeAbiParameters([{ type: 'bytes' }], [bytes]))

/** Code of precompiles that answer something else than a mapping. */
export const PRECOMPILES = {
  none: '0x',
  reverts: '0x5f5ffd',
  'answers 31 bytes': answering(`0x${'ab'.repeat(31)}`),
  'answers 33 bytes': answering(`0x${'ab'.repeat(33)}`),
  'answers no bytes': answering('0x'),
  'answers garbage': codeReturning(`0x${'ff'.repeat(64)}`),
} as const satisfies Record<string, Hex>
export type Precompile = keyof typeof PRECOMPILES

/** Storage of the stand-in that holds the account of an address. */
const mappingSlot = (wallet: Hex): Hex => keccak256(`${pad(wallet, { size: 32 })}${'00'.repeat(32)}`)

/** Changes the System precompile of a local chain in ways that no account can. */
export const createPrecompileControl = (rpcUrl: string) => {
  const rpc: Rpc = rpcTo(rpcUrl)
  const setCode = (code: Hex) => rpc('anvil_setCode', SYSTEM_PRECOMPILE, code)
  return {
    install: async () => setCode((await loadArtifact('SystemPrecompile')).deployedBytecode),
    replace: (name: Precompile) => setCode(PRECOMPILES[name]),
    /** Maps an address to any account. */
    mapTo: (wallet: Hex, accountId: Hex) => rpc('anvil_setStorageAt', SYSTEM_PRECOMPILE, mappingSlot(wallet), accountId),
  }
}
