import { Mutex } from 'async-mutex'
import { type Address, createPublicClient, encodeFunctionData, type Hex, http, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { reputationSbtAbi } from '../../activities/chain/abi/reputation-sbt.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { receiptOf } from '../../contracts/receipts.ts'
import { chainJobId } from '../../domain/common/ids.ts'
import { type ChainFile, liveEscrow } from '../../schemas/chain/chain-file.ts'
import { CHAIN_JOB_STATES, type ChainJobState } from '../../schemas/chain/job-state.ts'
import { localKey } from '../keys.ts'

/** A call to be signed by its sender. */
type UnsignedCall = { to: Hex; data?: Hex; value?: bigint }

/** Balances and badges of a worker at one block. Amounts in base units. */
export type Standing = {
  liquidRaw: bigint
  stakedRaw: bigint
  tokensRaw: bigint
  badges: { tokenId: bigint; level: bigint; metadataUri: string }[]
}

export type EscrowState = { state: ChainJobState; worker: Hex; rewardRaw: bigint; releasedRaw: bigint }

export type ChainView = ReturnType<typeof createChainView>

/** Gas that a wallet gets, in whole units. */
const GAS_MONEY = '0.1'
const SEND_ATTEMPTS = 5

/** Reads and writes the chain directly, to check the answers of the service. */
export const createChainView = (chain: ChainFile, rpcUrl: string) => {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }), pollingInterval: 50 })
  const asset = chain.asset.address as Hex
  const accounts = { address: chain.contracts.agentAccount.address as Hex, abi: agentAccountCoreAbi } as const
  const reputation = { address: chain.contracts.reputation.address as Hex, abi: reputationSbtAbi } as const
  const escrow = { address: liveEscrow(chain), abi: escrowCoreAbi } as const
  const token = { address: asset, abi: testUsdcAbi } as const

  /** Balances of a wallet at one block. */
  const balancesOf = async (wallet: Address, blockNumber: bigint) => {
    const [position, tokensRaw] = await Promise.all([
      client.readContract({ ...accounts, functionName: 'positions', args: [wallet, asset], blockNumber }),
      client.readContract({ ...token, functionName: 'balanceOf', args: [wallet], blockNumber }),
    ])
    return { liquidRaw: position[0], stakedRaw: position[4], tokensRaw }
  }

  const badgesOf = async (owner: Address, blockNumber: bigint) => {
    const count = await client.readContract({ ...reputation, functionName: 'balanceOf', args: [owner], blockNumber })
    const indexes = Array.from({ length: Number(count) }, (_, index) => BigInt(index))
    return Promise.all(
      indexes.map(async (index) => {
        const tokenId = await client.readContract({ ...reputation, functionName: 'tokensByOwner', args: [owner, index], blockNumber })
        const [, , level, metadataUri] = await client.readContract({ ...reputation, functionName: 'badges', args: [tokenId], blockNumber })
        return { tokenId, level, metadataUri }
      }),
    )
  }

  const sendOnce = async (from: PrivateKeyAccount, call: UnsignedCall): Promise<Hex> => {
    const [chainId, nonce, gas, fees] = await Promise.all([
      client.getChainId(),
      client.getTransactionCount({ address: from.address, blockTag: 'pending' }),
      client.estimateGas({ account: from.address, ...call }),
      client.estimateFeesPerGas(),
    ])
    const serializedTransaction = await from.signTransaction({ type: 'eip1559', chainId, nonce, gas: (gas * 12n) / 10n, ...fees, ...call })
    return client.sendRawTransaction({ serializedTransaction })
  }

  /** Held by the broadcasts of a key, so that they do not read the same nonce. */
  const turns = new Map<Address, Mutex>()
  const sendInTurn = (from: PrivateKeyAccount, call: UnsignedCall): Promise<Hex> => {
    const turn = turns.get(from.address) ?? new Mutex()
    turns.set(from.address, turn)
    return turn.runExclusive(() => sendOnce(from, call))
  }

  /** Signs with the sender's own key, broadcasts and waits. Signs again when a sender in another process took the nonce. */
  const send = async (from: PrivateKeyAccount, call: UnsignedCall): Promise<Hex> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const hash = await sendInTurn(from, call)
        const { status } = await receiptOf(client, hash)
        if (status !== 'success') throw new Error(`transaction ${hash} failed`)
        return hash
      } catch (error) {
        if (attempt === SEND_ATTEMPTS || !/nonce|underpriced/i.test(String(error))) throw error
      }
    }
  }

  const faucet = privateKeyToAccount(localKey('faucet').privateKey)

  /** Pays a little gas from the stack's own faucet key. Returns it in whole units. */
  const sendGas = async (wallet: Address): Promise<string> => {
    await send(faucet, { to: wallet, value: parseEther(GAS_MONEY) })
    return GAS_MONEY
  }

  /** Mints test money, base units. */
  const mint = (wallet: Address, amountRaw: bigint): Promise<Hex> =>
    send(faucet, { to: asset, data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [wallet, amountRaw] }) })

  return {
    client,
    send,
    balancesOf,

    /** Block of the last event of this name about a job. */
    blockOf: async (jobId: string, eventName: 'JobClaimed' | 'JobClosed'): Promise<bigint> => {
      const found = await client.getContractEvents({ ...escrow, args: { jobId: chainJobId(jobId) }, fromBlock: 0n, eventName })
      const blockNumber = found.at(-1)?.blockNumber
      if (blockNumber === undefined) throw new Error(`${jobId} has no ${eventName} on chain`)
      return blockNumber
    },

    standingOf: async (wallet: Address): Promise<Standing> => {
      const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
      const [balances, badges] = await Promise.all([balancesOf(wallet, blockNumber), badgesOf(wallet, blockNumber)])
      return { ...balances, badges }
    },

    escrowOf: async (jobId: string): Promise<EscrowState> => {
      const job = await client.readContract({ ...escrow, functionName: 'jobs', args: [chainJobId(jobId)] })
      const state = CHAIN_JOB_STATES[job.state]
      if (state === undefined) throw new Error(`escrow state ${job.state} has no name`)
      const { worker, reward, released } = job
      return { state, worker, rewardRaw: reward, releasedRaw: released }
    },

    mint,
    sendGas,

    /** Test money and a little gas for a wallet. */
    fund: async (wallet: Address, amountRaw: bigint): Promise<void> => {
      await sendGas(wallet)
      await mint(wallet, amountRaw)
    },
  }
}
