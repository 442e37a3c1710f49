import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Abi, type Address, encodeAbiParameters, encodeDeployData, type Hex, keccak256, zeroAddress, zeroHash } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { strategyAdapterRegistryAbi } from '../../../activities/chain/abi/strategy-adapter-registry.ts'
import { treasuryPolicyAbi } from '../../../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../../../activities/chain/abi/xcm-wrapper.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { checkLines, roleTable } from '../../../contracts/check/report.ts'
import { checkDeployment } from '../../../contracts/check.ts'
import { CROSS_CHAIN_STRATEGY_ID, IDLE_STRATEGY_ID } from '../../../contracts/parameters.ts'
import { type ChainFile, liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { revertTo } from '../support/shared-chain.ts'
import { who } from '../support/world.ts'
import { DEPLOYER, deployWhole, NEW_OWNER, openPlace, type Place } from './deployed.ts'

let place: Place
let chain: ChainFile

beforeAll(async () => {
  place = await openPlace()
  chain = await deployWhole(place)
})
afterAll(() => place.anvil.stop())

const check = (file = chain) => checkDeployment(place.client, file)
const C = () => chain.contracts

/** Parts whose owner the new owner is. */
const PARTS: Readonly<Record<string, readonly [at: () => Address, abi: Abi]>> = {
  policy: [() => C().policy.address, treasuryPolicyAbi],
  accounts: [() => C().agentAccount.address, agentAccountCoreAbi],
  escrow: [() => liveEscrow(chain), escrowCoreAbi],
  registry: [() => C().registry.address, strategyAdapterRegistryAbi],
  wrapper: [() => C().xcm?.wrapper.address as Address, xcmWrapperAbi],
}
/** A call of the owner. */
const owner =
  (part: keyof typeof PARTS, call: string, ...args: readonly unknown[]) =>
  async (): Promise<void> => {
    const [at, abi] = PARTS[part] as (typeof PARTS)[string]
    const values = await Promise.all(args.map((arg) => (typeof arg === 'function' ? arg() : arg)))
    await place.call(NEW_OWNER, at(), abi, call, ...values)
  }

const token = () => chain.asset.address
const escrow = () => liveEscrow(chain)
const accounts = () => C().agentAccount.address
const idle = async (): Promise<Address> => {
  const read = { address: C().registry.address, abi: strategyAdapterRegistryAbi, functionName: 'getStrategy' } as const
  return (await place.client.readContract({ ...read, args: [IDLE_STRATEGY_ID] })).adapter
}

/** Slots in which the map of shares may lie. */
const FIRST_SLOTS = 12n

/** Forgets the shares at a pool's own address, which are those of its operator. */
const forgetShares = async (pool: Address): Promise<void> => {
  for (let slot = 0n; slot < FIRST_SLOTS; slot++) {
    const key = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [pool, slot]))
    await place.rpc('anvil_setStorageAt', pool, key, zeroHash)
  }
}

type Fault = readonly [fault: string, plant: () => Promise<unknown>, found: readonly string[], remedy: RegExp]

const role = (
  name: string,
  set: string,
  holder: Address | (() => unknown),
  at: 'policy' | 'accounts' = 'policy',
  prefix = at === 'policy' ? 'policy' : 'agentAccount',
): Fault => [`${name} is missing`, owner(at, set, holder, false), [`${prefix}.${name}`], new RegExp(`owner calls ${set}\\(0x.*, true\\)`)]

const extra = (name: string, set: string, at: 'policy' | 'accounts' = 'policy'): Fault => [
  `${name} has a holder too many`,
  owner(at, set, who.stranger, true),
  [`${at === 'policy' ? 'policy' : 'agentAccount'}.${name}.extra`],
  new RegExp(`owner calls ${set}\\(${who.stranger}, false\\)`, 'i'),
]

const ROLES: readonly Fault[] = [
  role('approvedAssets', 'setApprovedAsset', token),
  role('settlementBroker', 'setSettlementBroker', escrow),
  role('settlementBroker', 'setSettlementBroker', who.operator),
  role('reputationWriter', 'setReputationWriter', escrow),
  role('outflowRecorder', 'setOutflowRecorder', accounts),
  role('strategySettler', 'setStrategySettler', accounts),
  role('strategySettler', 'setStrategySettler', who.operator),
  role('verifiers', 'setVerifier', who.verifier),
  role('arbitrators', 'setArbitrator', who.arbitrator),
  role('escrowOperators', 'setEscrowOperator', escrow, 'accounts'),
  extra('settlementBroker', 'setSettlementBroker'),
  extra('agentTransferBroker', 'setAgentTransferBroker'),
  extra('trustedSchemaIssuers', 'setTrustedSchemaIssuer'),
  extra('verifiers', 'setVerifier'),
  extra('arbitrators', 'setArbitrator'),
  extra('approvedAssets', 'setApprovedAsset'),
  extra('approvedStrategies', 'setApprovedStrategy'),
  extra('escrowOperators', 'setEscrowOperator', 'accounts'),
]

const POLICY_VALUES = [
  ['DefaultClaimStakeBps', 1],
  ['ClaimFeeBps', 1],
  ['ClaimFeeVerifierBps', 1],
  ['MinimumCollateralRatioBps', 10_000n],
  ['PerAccountBorrowCap', 1n],
  ['DailyOutflowCap', 1n],
  ['OnboardingWaiverClaimCount', 9n],
  ['RejectionSkillPenalty', 1n],
  ['RejectionReliabilityPenalty', 1n],
  ['DisputeLossSkillPenalty', 1n],
  ['DisputeLossReliabilityPenalty', 1n],
] as const

const VALUES: readonly Fault[] = [
  ...POLICY_VALUES.map(
    ([name, value]): Fault => [
      `another ${name}`,
      owner('policy', `set${name}`, value),
      [`policy.${name.charAt(0).toLowerCase()}${name.slice(1)}`],
      new RegExp(`owner calls set${name}\\(\\d+\\) on the policy: to 0x\\w{40}, data 0x\\w+`),
    ],
  ),
  [
    'another minimum claim fee',
    owner('policy', 'setMinClaimFee', token, 1n),
    ['policy.minClaimFeeByAsset'],
    /setMinClaimFee\(0x\w+, 50000\)/,
  ],
  [
    'another fee schedule',
    owner('escrow', 'setFeeSchedule', 1n, 1, 1, 1n),
    ['escrow.retentionFlatRaw', 'escrow.retentionCapBps', 'escrow.posterFeeBps', 'escrow.posterFeeFloorRaw'],
    /setFeeSchedule\(50000, 2000, 500, 50000\)/,
  ],
  [
    'no treasury of slashes',
    owner('accounts', 'setTreasuryAccount', zeroAddress),
    ['agentAccount.treasuryAccount'],
    /setTreasuryAccount\(0x10/,
  ],
  ['another treasury of fees', owner('escrow', 'setTreasuryAccount', who.stranger), ['escrow.treasuryAccount'], /setTreasuryAccount\(0x10/],
  ['a pause', owner('policy', 'setPaused', true), ['policy.paused'], /setPaused\(false\)/],
  ['a pause of the dispatch', owner('wrapper', 'setDispatchPaused', true), ['xcm.wrapper.dispatchPaused'], /setDispatchPaused\(false\)/],
  ['another pauser', owner('policy', 'setPauser', who.stranger), ['policy.pauser'], /setPauser\(0x10/],
  [
    'a yield source without approval',
    owner('policy', 'setApprovedStrategy', idle, false),
    ['policy.approvedStrategies'],
    /setApprovedStrategy\(0x\w+, true\)/,
  ],
  [
    'a yield source that is off',
    owner('registry', 'setStrategyActive', IDLE_STRATEGY_ID, false),
    ['strategy.idle.active'],
    /setStrategyActive\(0x\w+, true\)/,
  ],
]

const configureWrapper =
  (call: string, ...args: readonly unknown[]) =>
  async (): Promise<void> => {
    for (const step of [
      owner('wrapper', 'setDispatchPaused', true),
      owner('wrapper', call, ...args),
      owner('wrapper', 'setDispatchPaused', false),
    ])
      await step()
  }

const newHandover = async (newOwner: Address): Promise<Address> => {
  const { abi, bytecode } = await loadArtifact('OwnershipHandover')
  return (await place.act(NEW_OWNER, undefined, encodeDeployData({ abi, bytecode, args: [C().policy.address, newOwner] }))) as Address
}

const codeOf = async (address: Address): Promise<Hex> => (await place.client.getCode({ address })) as Hex
const setCode = (address: Address, code: Hex) => place.rpc('anvil_setCode', address, code)

const OTHERS: readonly Fault[] = [
  [
    'another owner',
    owner('policy', 'transferOwnership', who.stranger),
    ['policy.owner'],
    /0x1000000000000000000000000000000000000006 owns .* calls transferOwnership/,
  ],
  [
    'the deployer as owner',
    owner('policy', 'transferOwnership', DEPLOYER),
    ['policy.owner', 'deployer.roles'],
    /calls transferOwnership\(0x1000000000000000000000000000000000000009\)/,
  ],
  [
    'an owner that has not accepted',
    async () => owner('policy', 'transferOwnership', await newHandover(NEW_OWNER))(),
    ['policy.owner'],
    /^0x1000000000000000000000000000000000000009 calls accept\(\) on the handover: to 0x\w{40}, data 0x2852b71c$/,
  ],
  [
    'a handover to another owner',
    async () => owner('policy', 'transferOwnership', await newHandover(who.stranger))(),
    ['policy.owner'],
    /takeBack\(\)/,
  ],
  [
    'a deployer with a role',
    owner('policy', 'setVerifier', DEPLOYER, true),
    ['deployer.roles', 'policy.verifiers.extra'],
    /takes each role of 0x\w+ away/,
  ],
  [
    'another dispatcher',
    configureWrapper('setOperator', who.stranger),
    ['xcm.wrapper.operator'],
    /while the dispatch is paused, the owner calls setOperator/,
  ],
  [
    'another adapter of the transport',
    configureWrapper('setStrategyAdapter', CROSS_CHAIN_STRATEGY_ID, who.stranger),
    ['xcm.wrapper.strategyAdapter'],
    /setStrategyAdapter/,
  ],
  [
    'another loan to value',
    () => place.call(who.creditOperator, C().creditPool?.address as Address, creditPoolAbi, 'setLtvBps', 5_000n),
    ['creditPool.ltvBps'],
    /the credit operator calls setLtvBps\(8000\)/,
  ],
  [
    'an empty bank',
    async () => {
      await place.call(who.operator, accounts(), agentAccountCoreAbi, 'withdraw', token(), 5_000_000n)
    },
    ['bank.operator'],
    /fund-bank chain\.json/,
  ],
  ['a verifier without gas', () => place.rpc('anvil_setBalance', who.verifier, '0x0'), ['gas.verifier'], /send at least 0\.1 PAS to 0x10/],
  ['an operator without gas', () => place.rpc('anvil_setBalance', who.operator, '0x1'), ['gas.operator'], /send at least 0\.09\d* PAS/],
  [
    'a pool without its seed',
    () => forgetShares(C().depositPool?.address as Address),
    ['depositPool.operatorPrincipalShares'],
    /seed-pools chain\.json --pool deposit/,
  ],
  ['other code', async () => setCode(escrow(), `${await codeOf(escrow())}00`), ['escrow.code'], /another contract stands at this address/],
  [
    'other code of a yield source',
    async () => setCode(await idle(), `${await codeOf(await idle())}00`),
    ['strategy.idle.code'],
    /setStrategyActive\(0x\w+, false\)/,
  ],
  [
    'no code',
    () => setCode(C().reputation.address, '0x'),
    ['reputation.code', 'reputation.policy'],
    /correct contracts\.reputation\.address/,
  ],
]

/** The file with a changed member. */
const lie = (change: (file: ChainFile) => void) => {
  const file = structuredClone(chain)
  change(file)
  return file
}
const generation = (file: ChainFile) => file.contracts.escrow.generations[0] as ChainFile['contracts']['escrow']['generations'][number]
const pool = (file: ChainFile) => file.contracts.depositPool as NonNullable<ChainFile['contracts']['depositPool']>
const credit = (file: ChainFile) => file.contracts.creditPool as NonNullable<ChainFile['contracts']['creditPool']>
const xcm = (file: ChainFile) => file.contracts.xcm as NonNullable<ChainFile['contracts']['xcm']>
const record = (file: ChainFile) => file.deployment as NonNullable<ChainFile['deployment']>
const later = (part: { deployBlock?: number | undefined }) => {
  part.deployBlock = (part.deployBlock ?? 0) + 1
}

type Lie = readonly [lie: string, change: (file: ChainFile) => void, found: readonly string[], remedy: RegExp]

const LIES: readonly Lie[] = [
  ['the block of the policy', (file) => later(file.contracts.policy), ['policy.deployBlock'], /correct contracts\.policy\.deployBlock/],
  [
    'the block of the escrow',
    (file) => later(generation(file)),
    ['escrow.deployBlock'],
    /correct contracts\.escrow\.generations\.0\.deployBlock/,
  ],
  ['the block of a pool', (file) => later(pool(file)), ['depositPool.deployBlock'], /correct contracts\.depositPool\.deployBlock/],
  ['the block of the wrapper', (file) => later(xcm(file).wrapper), ['wrapper.deployBlock'], /correct contracts\.xcm\.wrapper\.deployBlock/],
  [
    'the address of another contract',
    (file) => {
      file.contracts.reputation = file.contracts.registry
    },
    ['reputation.code', 'escrow.reputation'],
    /correct contracts\.reputation\.address/,
  ],
  [
    'an address without code',
    (file) => {
      file.contracts.registry = { address: who.stranger }
    },
    [
      'registry.code',
      'agentAccount.registry',
      'registry.policy',
      'registry.listStrategyIds',
      ...Array(2).fill('policy.approvedStrategies.extra'),
    ],
    /correct contracts\.registry\.address/,
  ],
  [
    'decimals',
    (file) => {
      file.asset.decimals = 18
    },
    ['asset.decimals'],
    /correct asset\.decimals/,
  ],
  [
    'the symbol',
    (file) => {
      file.asset.symbol = 'EURC'
    },
    ['asset.symbol'],
    /correct asset\.symbol/,
  ],
  [
    'the domain of the token',
    (file) => {
      file.asset.eip712Version = '1'
    },
    ['asset.DOMAIN_SEPARATOR'],
    /correct asset\.eip712Name/,
  ],
  [
    'the domain of the account contract',
    (file) => {
      file.contracts.agentAccount.eip712Name = 'Other'
    },
    ['agentAccount.domainSeparator'],
    /correct eip712Name and eip712Version of contracts\.agentAccount/,
  ],
  [
    'the domain of the escrow',
    (file) => {
      file.contracts.escrow.eip712Version = '7'
    },
    ['escrow.externalSchemaDomainSeparator'],
    /correct eip712Name and eip712Version of contracts\.escrow/,
  ],
  [
    'the name of a share',
    (file) => {
      pool(file).shareName = 'Other'
    },
    ['depositPool.name'],
    /correct shareName/,
  ],
  [
    'the symbol of a share',
    (file) => {
      pool(file).shareSymbol = 'OT'
    },
    ['depositPool.symbol'],
    /correct shareName/,
  ],
  [
    'the risk disclosure',
    (file) => {
      credit(file).riskDisclosure = 'none'
    },
    ['creditPool.RISK_DISCLOSURE'],
    /riskDisclosure/,
  ],
  [
    'the generation',
    (file) => {
      generation(file).version = 2
    },
    ['escrow.generations.version'],
    /one live generation/,
  ],
  [
    'no live generation',
    (file) => {
      generation(file).mode = 'drain'
    },
    ['escrow.generations'],
    /name one/,
  ],
  [
    'a generation that is none',
    (file) => void file.contracts.escrow.generations.push({ version: 2, address: who.stranger, mode: 'drain' }),
    ['escrow.generations.v2.policy', 'policy.settlementBroker', 'policy.reputationWriter', 'agentAccount.escrowOperators'],
    /correct contracts\.escrow\.generations/,
  ],
  [
    'a hash of code',
    (file) => {
      const { escrow: code } = record(file).code
      record(file).code.escrow = { ...(code as NonNullable<typeof code>), runtimeCodeHash: `0x${'00'.repeat(32)}` }
    },
    ['escrow.codeHash'],
    /correct deployment\.code\.escrow/,
  ],
  [
    'the deployer',
    (file) => {
      record(file).deployer = who.stranger
    },
    ['deployer'],
    /correct deployment\.deployer/,
  ],
  [
    'the chain',
    (file) => {
      file.chainId = 1
    },
    ['chainId'],
    /--rpc/,
  ],
  [
    'the account at the venue',
    (file) => {
      xcm(file).venue.account = who.stranger
    },
    ['xcm.venue.account'],
    /correct contracts\.xcm\.venue\.account/,
  ],
  [
    'an operator',
    (file) => {
      record(file).config.roles.creditOperator = who.operator
    },
    ['creditPool.operator'],
    /keeps this for good: correct roles\.creditOperator/,
  ],
  [
    'savings that are left out',
    (file) => {
      delete file.contracts.depositPool
      delete file.contracts.creditPool
    },
    ['depositPool, creditPool'],
    /name depositPool, creditPool in the chain file/,
  ],
]

describe('the check', () => {
  test('is green', async () => {
    expect(await check()).toEqual([])
  })

  test.each([...ROLES, ...VALUES, ...OTHERS])('names %s, with a remedy, and is green without it', async (_, plant, names, remedy) => {
    const snapshot = await place.rpc('evm_snapshot')
    try {
      await plant()
      const found = await check()
      expect(found.map(({ name }) => name).sort()).toEqual([...names].sort())
      expect(found.find(({ name }) => name === names[0])?.remedy).toMatch(remedy)
    } finally {
      await revertTo(place.rpc, snapshot)
    }
    expect(await check()).toEqual([])
  })

  test.each(LIES)('finds a lie of the file: %s', async (_, change, names, remedy) => {
    const found = await check(lie(change))
    expect(found.map(({ name }) => name).sort()).toEqual([...names].sort())
    expect(found.find(({ name }) => name === names[0])?.remedy).toMatch(remedy)
  })
})

describe('for a machine and for a person', () => {
  test('the check names what is red with its remedy', async () => {
    const wrong = lie((file) => {
      file.asset.decimals = 18
    })
    const [json, text] = [await checkLines(place.client, wrong, undefined, true), await checkLines(place.client, wrong, undefined, false)]
    expect([json.well, JSON.parse(json.lines[0] as string)]).toEqual([
      false,
      { well: false, problems: [{ name: 'asset.decimals', expected: '18', found: '6', remedy: expect.any(String) }] },
    ])
    expect(text.lines).toEqual([expect.stringMatching(/^✗ asset\.decimals: expected 18, found 6\n {4}→ correct asset\.decimals/), '1 red'])
    expect((await checkLines(place.client, chain, undefined, true)).well).toBe(true)
  })

  test('the roles name each holder, and a stranger as unknown', async () => {
    const snapshot = await place.rpc('evm_snapshot')
    await owner('policy', 'setVerifier', who.stranger, true)()
    const rows = JSON.parse((await roleTable(place.client, chain, undefined, true)).lines[0] as string) as {
      role: string
      holders: { address: string; name: string | null }[]
    }[]
    await revertTo(place.rpc, snapshot)
    const holders = (role: string) => rows.find((row) => row.role === role)?.holders.map(({ name }) => name)
    expect(holders('policy.verifiers')).toEqual(['verifier', null])
    expect(holders('owner of the policy')).toEqual(['owner'])
    expect(holders('policy.approvedStrategies')).toEqual(['yield source mock', 'yield source idle'])
    expect(holders('policy.settlementBroker')).toEqual(['escrow v3 (live)', 'operator'])
  })
})
