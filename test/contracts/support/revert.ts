import { afterEach, beforeEach } from '@jest/globals'
import type { Rpc } from './rpc.ts'
import { revertTo } from './shared-chain.ts'

/** Takes back on the chain what each test of this file does. */
export const revertAfterEach = (on: () => { readonly rpc: Rpc }): void => {
  let snapshot: unknown
  beforeEach(async () => {
    snapshot = await on().rpc('evm_snapshot')
  })
  afterEach(() => revertTo(on().rpc, snapshot))
}
