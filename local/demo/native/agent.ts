import { randomBytes } from 'node:crypto'
import { type Address, getAddress, type Hex } from 'viem'
import { accountIdOf, encodeSs58, payoutAddress, signWrapped } from '../../../client/cli/key/native-account.ts'
import { createClient } from '../../../client/src/client.ts'
import type { LocalAccount } from '../../chain/native-side.ts'
import type { Agent } from '../worker.ts'

/** An agent whose key is that of a native account. */
export interface NativeAgent extends Agent {
  native: LocalAccount & { ss58: string }
}

/** An agent with a new native account of sr25519. */
export const createNativeAgent = (baseUrl: string): NativeAgent => {
  const secret = randomBytes(32)
  const id = accountIdOf(secret, 'sr25519')
  const [ss58, wallet] = [encodeSs58(id), payoutAddress(id) as Address]
  const signer = { address: ss58, signMessage: async ({ message }: { message: string }) => signWrapped(secret, 'sr25519', message) }
  const accountId: Hex = `0x${Buffer.from(id).toString('hex')}`
  return {
    account: { address: getAddress(wallet) },
    client: createClient({ baseUrl, account: signer }),
    native: { wallet, accountId, ss58 },
  }
}
