/** What a wallet gets: an amount of the settlement asset in whole units, native gas, or both. */
interface FaucetRequest {
  usdc?: string
  gas?: boolean
}

/** Command that pays test money to a wallet. It works on the local chain only. */
export const faucetCommand = (wallet: string, { usdc, gas }: FaucetRequest): string =>
  ['npm run faucet --', wallet, ...(usdc === undefined ? [] : [`--usdc ${usdc}`]), ...(gas === true ? ['--gas'] : [])].join(' ')
