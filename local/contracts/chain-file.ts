// The members of the chain file that a deployment fills in.
import type { Address } from 'viem'

export interface ChainFileContracts {
  readonly policy: { readonly address: Address; readonly deployBlock: number }
  readonly registry: { readonly address: Address }
  readonly agentAccount: { readonly address: Address; readonly eip712Name: string; readonly eip712Version: string }
  readonly reputation: { readonly address: Address }
  readonly escrow: {
    readonly eip712Name: string
    readonly eip712Version: string
    readonly generations: readonly EscrowGeneration[]
  }
}

export interface EscrowGeneration {
  readonly version: number
  readonly address: Address
  readonly deployBlock: number
  readonly mode: 'live' | 'drain' | 'legacy'
}

export interface ChainFileAsset {
  readonly symbol: string
  readonly address: Address
  readonly decimals: number
  readonly assetId: number
  readonly minimumBalanceRaw: string
}

export interface ChainFileLike {
  readonly chainId: number
  readonly contracts: ChainFileContracts
  readonly asset: ChainFileAsset
}

/** Who holds which role; the check of a deployment needs them beside the chain file. */
export interface RoleHolders {
  readonly operator: Address
  readonly verifier: Address
  readonly arbitrator: Address
  readonly treasury: Address
  readonly pauser?: Address
}
