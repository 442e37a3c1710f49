// The published interface of the protocol: selector or topic, then the readable ABI item. The deployed
// contracts on the public networks have exactly these entries, so a change here must be deliberate.
import type { ContractName } from '../../../local/contracts/artifact.ts'
import { CROSS_CHAIN_TABLES } from './cross-chain-tables.ts'
import { POOL_TABLES } from './pool-tables.ts'

export interface AbiTable {
  readonly structs: readonly string[]
  readonly entries: Readonly<Record<string, string>>
}

type Tabled = Exclude<
  ContractName,
  | 'TestUSDC'
  | 'PoolStrategyAdapter'
  | 'MockAsyncAdapter'
  | 'MockWalletFactory'
  | 'MockVenueAdapter'
  | 'MockPoolToken'
  | 'MockXcmPrecompile'
  | 'MockRemoteToken'
>

export const ABI_TABLES: Readonly<Record<Tabled, AbiTable>> = {
  ...POOL_TABLES,
  ...CROSS_CHAIN_TABLES,
  TreasuryPolicy: {
    structs: [],
    entries: {
      '0xf2fde38b': 'function transferOwnership(address newOwner)',
      '0x2d88af4a': 'function setPauser(address newPauser)',
      '0x16c38b3c': 'function setPaused(bool newPaused)',
      '0x6e49c8b2': 'function setApprovedAsset(address asset, bool approved)',
      '0x12a7bd4c': 'function setApprovedStrategy(address strategy, bool approved)',
      '0xd77baf73': 'function setSettlementBroker(address operator, bool approved)',
      '0x80114289': 'function setAgentTransferBroker(address operator, bool approved)',
      '0xe2ffa57d': 'function setStrategySettler(address operator, bool approved)',
      '0x9b82a922': 'function setReputationWriter(address operator, bool approved)',
      '0xae81cc3e': 'function setOutflowRecorder(address operator, bool approved)',
      '0xd5080d6a': 'function setTrustedSchemaIssuer(address issuer, bool approved)',
      '0xac9b5671': 'function setVerifier(address verifier, bool approved)',
      '0x4cb642ff': 'function verifierAuthorizationWindow(address verifier, uint256 index) view returns (uint64 since, uint64 until)',
      '0x677e4e66': 'function verifierAuthorizationWindowCount(address verifier) view returns (uint256)',
      '0xd451dc3e': 'function wasAuthorizedAt(address verifier, uint64 timestamp) view returns (bool)',
      '0x2bc0b076': 'function setArbitrator(address arbitrator, bool approved)',
      '0x5211543d': 'function setDailyOutflowCap(uint256 cap)',
      '0x8c85e985': 'function setPerAccountBorrowCap(uint256 cap)',
      '0x1f1614a3': 'function setMinimumCollateralRatioBps(uint256 ratioBps)',
      '0x16bc1380': 'function setDefaultClaimStakeBps(uint16 claimStakeBps)',
      '0x303e8fc1': 'function setClaimFeeBps(uint16 feeBps)',
      '0xca06ccc3': 'function setClaimFeeVerifierBps(uint16 verifierBps)',
      '0xef69f090': 'function setOnboardingWaiverClaimCount(uint256 claimCount)',
      '0xed4b6505': 'function setMinClaimFee(address asset, uint256 amount)',
      '0x8f6f7f91': 'function setRejectionSkillPenalty(uint256 penalty)',
      '0x05e58f45': 'function setRejectionReliabilityPenalty(uint256 penalty)',
      '0x8a1dd7b9': 'function setDisputeLossSkillPenalty(uint256 penalty)',
      '0x938d4207': 'function setDisputeLossReliabilityPenalty(uint256 penalty)',
      '0xc43692ba': 'function recordOutflow(address account, uint256 amount)',
      '0x5fb5ac31': 'function recordProtocolOutflow(address account, uint256 amount)',
      '0x70d36efe': 'function accountOutflowDay(address) view returns (uint256)',
      '0x0874f082': 'function accountOutflowToday(address) view returns (uint256)',
      '0xa5c9f134': 'function agentTransferBroker(address) view returns (bool)',
      '0x97eb0088': 'function approvedAssets(address) view returns (bool)',
      '0xc613aec0': 'function approvedStrategies(address) view returns (bool)',
      '0x51d0ea37': 'function arbitrators(address) view returns (bool)',
      '0x442e268b': 'function authorizedSince(address) view returns (uint64)',
      '0xa8f39f87': 'function authorizedUntil(address) view returns (uint64)',
      '0x7a526f4e': 'function claimFeeBps() view returns (uint16)',
      '0x78d74de3': 'function claimFeeVerifierBps() view returns (uint16)',
      '0x5c9302c9': 'function currentDay() view returns (uint256)',
      '0x4959757f': 'function dailyOutflowCap() view returns (uint256)',
      '0x28fdfd9e': 'function defaultClaimStakeBps() view returns (uint16)',
      '0x027401d4': 'function disputeLossReliabilityPenalty() view returns (uint256)',
      '0x41e8497f': 'function disputeLossSkillPenalty() view returns (uint256)',
      '0x97e44c9e': 'function minClaimFeeByAsset(address) view returns (uint256)',
      '0x6fcebf52': 'function minimumCollateralRatioBps() view returns (uint256)',
      '0x15d234f4': 'function onboardingWaiverClaimCount() view returns (uint256)',
      '0xbcc9b7e0': 'function outflowRecorder(address) view returns (bool)',
      '0xac8d989f': 'function outflowToday() view returns (uint256)',
      '0x8da5cb5b': 'function owner() view returns (address)',
      '0x5c975abb': 'function paused() view returns (bool)',
      '0x9fd0506d': 'function pauser() view returns (address)',
      '0xc0062360': 'function perAccountBorrowCap() view returns (uint256)',
      '0xdc883cdb': 'function rejectionReliabilityPenalty() view returns (uint256)',
      '0x273e864e': 'function rejectionSkillPenalty() view returns (uint256)',
      '0xd44c3e47': 'function reputationWriter(address) view returns (bool)',
      '0xacbf6f16': 'function settlementBroker(address) view returns (bool)',
      '0x8d554f66': 'function strategySettler(address) view returns (bool)',
      '0xf055e5a1': 'function trustedSchemaIssuers(address) view returns (bool)',
      '0x6c824487': 'function verifiers(address) view returns (bool)',
      '0x9ccef649a680bac90d00e63ad5d9583d5848f9188a2f8bcaedacf4197794a6ab':
        'event AgentTransferBrokerUpdated(address indexed operator, bool approved)',
      '0x90337bcf2f2ffbb618856a0655c6fa90dc53576d7e86a32bd7d0a279583a0886':
        'event ArbitratorUpdated(address indexed arbitrator, bool approved)',
      '0xb83e74d5bd00d5834249cc9b701dc0858f4dc34e730bf722a59c5d966fddd6ea':
        'event AssetApprovalUpdated(address indexed asset, bool approved)',
      '0x4a8209b32320c810610c6b42e36e9921f1581721adb40f3f5d29d64f25284cc1': 'event ClaimFeeBpsUpdated(uint16 newClaimFeeBps)',
      '0x6807f226530ad449b023f78883da20785a6ca31820b87f7316b1e9d9781ac077':
        'event ClaimFeeVerifierBpsUpdated(uint16 newClaimFeeVerifierBps)',
      '0x6ec5c7fd6461cb2bb9f46d6ff2556eeec0e98e718ba4bea31da195e3a85ab28c': 'event DailyOutflowCapUpdated(uint256 newCap)',
      '0x367c1b060a7999ccf837080605e1176df822183c765a43536eb2c6397db05e40': 'event DefaultClaimStakeBpsUpdated(uint16 newClaimStakeBps)',
      '0xc9ba60f7ecdc18c188ba13994096d620146669589515ad6e6176a3e32f162fae':
        'event DisputeLossReliabilityPenaltyUpdated(uint256 newPenalty)',
      '0x0970f078aaa081334ac0767c3b4f9854961b35e34cfb7c41bd1f52d44cb7a510': 'event DisputeLossSkillPenaltyUpdated(uint256 newPenalty)',
      '0xf2a4d4298839793c6073f0af06ba443304680bf6149e1789d051653ded0e4654':
        'event MinClaimFeeUpdated(address indexed asset, uint256 amount)',
      '0xafc5cb77ad13eeddf6add6e7d5cea487e37a712753f0b528385b205b5be523f6': 'event MinimumCollateralRatioUpdated(uint256 newRatioBps)',
      '0x6c6dacc511ae7a5073190818a6378d7ac5380dde4deb67c89461f1eda6aeadbf':
        'event OnboardingWaiverClaimCountUpdated(uint256 newClaimCount)',
      '0xe996df15e736f528abdf48af741f282b356b801e5d42d7bbcc590d1830767f7d':
        'event OutflowRecorded(address indexed account, uint256 day, uint256 amount, uint256 accountTotal, uint256 aggregateTotal)',
      '0xfd227c32b71a9e3ba7d4c9aa2c4195a5a3962d82fe840177870f01355558f42c':
        'event OutflowRecorderUpdated(address indexed operator, bool approved)',
      '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0':
        'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
      '0x77860e247ab9186dbe64e5bd0e0b93273cc4273e01818420e788f500078886f5': 'event PauseUpdated(bool paused)',
      '0x1ff153f4b082245afbf3211a8d2d207da4c5df490e965f9a9ad141b0cd001dda':
        'event PauserUpdated(address indexed previousPauser, address indexed newPauser)',
      '0x112deb75669734a5bb46b8b2f95e14b97d6a0a6c3ad5210fb0286ed6b7fbb792': 'event PerAccountBorrowCapUpdated(uint256 newCap)',
      '0xb02f57f00055c20e6d45dc7c19b8d2e886dfca566d39416135c408fe4432da3a': 'event RejectionReliabilityPenaltyUpdated(uint256 newPenalty)',
      '0x69046e02db690611208268d57fd4c4628dde653bc2772f329f840913c2f7a335': 'event RejectionSkillPenaltyUpdated(uint256 newPenalty)',
      '0x22a4751cff1819a2b5febb4abaf41cf88135ecaaca165dc57ffed20ded290d9e':
        'event ReputationWriterUpdated(address indexed operator, bool approved)',
      '0xce4657f50f3259b942a271d3b6e75e71359fafc3a882fa96c5f2e62eb38a1ad3':
        'event SettlementBrokerUpdated(address indexed operator, bool approved)',
      '0xad6dbebee1460bc7dc438c3201e2ebf7fbb594750b1cc49795d929a8f28d8775':
        'event StrategyApprovalUpdated(address indexed strategy, bool approved)',
      '0xd4c8908004cbc8346e90faccd25e91d010831672b7fe82577f46c60e0665e2d2':
        'event StrategySettlerUpdated(address indexed operator, bool approved)',
      '0xb41124bbc20cb90e5f2e19fe51c10996f11f66d26a1b290c3f7436d20c42e1a2':
        'event TrustedSchemaIssuerSet(address indexed issuer, bool approved)',
      '0xba5f7031ad83095931ee4b5138591db2dc3cfc56178367622fa4b05c2efad231':
        'event VerifierUpdated(address indexed verifier, bool approved)',
      '0x4805dffb': 'error OutflowCapExceeded()',
      '0x9e87fac8': 'error Paused()',
      '0x82b42900': 'error Unauthorized()',
    },
  },
  StrategyAdapterRegistry: {
    structs: ['struct StrategyMetadata { bytes32 strategyId; address adapter; address asset; string riskLabel; bool active; }'],
    entries: {
      '0xf5c2c430': 'function registerStrategy(address adapter)',
      '0x7e45ebd6': 'function setStrategyActive(bytes32 strategyId, bool active)',
      '0x28c84bbd': 'function getStrategy(bytes32 strategyId) view returns (StrategyMetadata)',
      '0x5b28fbdf': 'function listStrategyIds() view returns (bytes32[])',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0x3ff34eb9':
        'function strategies(bytes32) view returns (bytes32 strategyId, address adapter, address asset, string riskLabel, bool active)',
      '0x2a2b4def9224eaa0a6cba74dfac628ce94052252a46ceb66abf862eba014390f':
        'event StrategyRegistered(bytes32 indexed strategyId, address indexed adapter, address indexed asset, string riskLabel)',
      '0xc5f370707d2bf7ef94879416e605167a0ca66fd9824f265c6e073c839b7e0cd9':
        'event StrategyStatusUpdated(bytes32 indexed strategyId, bool active)',
      '0x34459c9e': 'error StrategyNotApproved()',
      '0x82b42900': 'error Unauthorized()',
    },
  },
  AgentAccountCore: {
    structs: [
      'struct StrategyDepositRequestParams { bytes32 strategyId; uint256 amount; bytes destination; bytes message; Weight maxWeight; uint64 nonce; }',
      'struct Weight { uint64 refTime; uint64 proofSize; }',
      'struct StrategyWithdrawRequestParams { bytes32 strategyId; uint256 shares; address recipient; bytes destination; bytes message; Weight maxWeight; uint64 nonce; }',
    ],
    entries: {
      '0x7205676e': 'function setEscrowOperator(address escrowOperator, bool approved)',
      '0xd886f8a2': 'function setTreasuryAccount(address newTreasuryAccount)',
      '0x47e7ef24': 'function deposit(address asset, uint256 amount)',
      '0xf3fef3a3': 'function withdraw(address asset, uint256 amount)',
      '0xb64b28c9': 'function reserveForJob(address account, address asset, uint256 amount)',
      '0x730ff586': 'function reserveForRecurringTemplate(address account, address asset, bytes32 templateId, uint256 amount)',
      '0xc99bdd1b': 'function consumeRecurringTemplateReserve(address account, address asset, bytes32 templateId, uint256 amount)',
      '0xa3ee78af': 'function cancelRecurringTemplateReserve(address account, address asset, bytes32 templateId, uint256 amount)',
      '0x662bf7e0': 'function refundReserved(address account, address asset, uint256 amount)',
      '0x2cd048cb': 'function settleReservedTo(bytes32 settlementId, address account, address asset, address recipient, uint256 amount)',
      '0x61f45cc8': 'function allocateIdleFunds(address account, bytes32 strategyId, uint256 amount)',
      '0x5830e599': 'function deallocateIdleFunds(address account, bytes32 strategyId, uint256 amount)',
      '0xdf5bc945': 'function requestStrategyDeposit(address account, StrategyDepositRequestParams params) returns (bytes32 requestId)',
      '0xd4183da1': 'function requestStrategyWithdraw(address account, StrategyWithdrawRequestParams params) returns (bytes32 requestId)',
      '0xbe39241a':
        'function settleStrategyRequest(bytes32 requestId, uint8 status, uint256 settledAssets, uint256 settledShares, bytes32 remoteRef, bytes32 failureCode)',
      '0x47a7d107': 'function lockCollateral(address asset, uint256 amount)',
      '0x17f17498': 'function unlockCollateral(address asset, uint256 amount)',
      '0x4b8a3529': 'function borrow(address asset, uint256 amount)',
      '0x22867d78': 'function repay(address asset, uint256 amount)',
      '0x6a0e2836': 'function lockJobStake(address account, address asset, uint256 amount)',
      '0xb5750766': 'function releaseJobStake(address account, address asset, uint256 amount)',
      '0x57b91014': 'function slashJobStake(address account, address asset, uint256 amount, address posterRecipient)',
      '0x6b39f632': 'function slashClaimFee(address account, address asset, uint256 amount, address verifierRecipient)',
      '0x3f48e5a4': 'function sendToAgent(address recipient, address asset, uint256 amount)',
      '0x4889e828':
        'function sendToAgentFor(address from, address recipient, address asset, uint256 amount, uint256 nonce, uint256 deadline, bytes signature)',
      '0xf698da25': 'function domainSeparator() view returns (bytes32)',
      '0x3cf03d0e':
        'function hashSendToAgentAuthorization(address from, address recipient, address asset, uint256 amount, uint256 nonce, uint256 deadline) view returns (bytes32)',
      '0x2dae49b9': 'function getBorrowCapacity(address account, address asset) view returns (uint256)',
      '0x122c8e2e': 'function SEND_TO_AGENT_TYPEHASH() view returns (bytes32)',
      '0x4ae62b6a': 'function escrowOperators(address) view returns (bool)',
      '0x9f46ea12': 'function pendingStrategyAssets(address, address) view returns (uint256)',
      '0xf52f6c14': 'function pendingStrategyWithdrawalShares(address, bytes32) view returns (uint256)',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0x4bd21445':
        'function positions(address, address) view returns (uint256 liquid, uint256 reserved, uint256 strategyAllocated, uint256 collateralLocked, uint256 jobStakeLocked, uint256 debtOutstanding)',
      '0xd2154d9b': 'function recurringTemplateReserves(address, address, bytes32) view returns (uint256)',
      '0x7b103999': 'function registry() view returns (address)',
      '0x3923c5bc': 'function sendToAgentAuthorizationUsed(address, uint256) view returns (bool)',
      '0x6b788454': 'function settlementExecuted(bytes32) view returns (bool)',
      '0xe4b46c01': 'function strategyAllocationValues(address, bytes32) view returns (uint256)',
      '0x6b793570':
        'function strategyRequests(bytes32) view returns (bytes32 strategyId, address adapter, address account, address asset, address recipient, uint8 kind, uint8 status, uint256 requestedAssets, uint256 requestedShares, uint256 settledAssets, uint256 settledShares, bytes32 remoteRef, bytes32 failureCode, bool settled)',
      '0x9455af17': 'function strategyShares(address, bytes32) view returns (uint256)',
      '0x339b2cff': 'function treasuryAccount() view returns (address)',
      '0x398465b5d165774dab4ee00caf7e181be1222133b742bc7c303e7c7672c4ed26':
        'event AgentTransfer(address indexed from, address indexed to, address indexed asset, uint256 amount)',
      '0x3fc499aeb0bb1cb58b6de8b02b3f86f4e7394e9690bef0110e32ced8a5631045':
        'event Borrowed(address indexed account, address indexed asset, uint256 amount)',
      '0xa6210e6e282343af8355e64426b66f6410fbe2a0926c77854a0705de5680437e':
        'event ClaimFeeSlashed(address indexed account, address indexed asset, uint256 amount, address indexed verifierRecipient, uint256 verifierAmount, uint256 treasuryAmount)',
      '0x9d952b9056b1ad31790d622a7f5ecf49004b370b41add0e429ac1e9f4b8a3335':
        'event CollateralLocked(address indexed account, address indexed asset, uint256 amount)',
      '0x5c87c81b4945a78d177e7c3dfbc9a6eaa971757d39f3b93c514446b47b5a2e1a':
        'event CollateralUnlocked(address indexed account, address indexed asset, uint256 amount)',
      '0x8752a472e571a816aea92eec8dae9baf628e840f4929fbcc2d155e6233ff68a7':
        'event Deposited(address indexed account, address indexed asset, uint256 amount)',
      '0xed9a1a582e8f669fdaf88e21f9f355b59ec9f03049e3da6dd58a34f9f64ad0ec':
        'event EscrowOperatorUpdated(address indexed escrowOperator, bool approved)',
      '0x6d6638388c980e5463088d04dbfe1ebf434bb2b41c41ff8bcd0cea45f555b085':
        'event JobStakeLocked(address indexed account, address indexed asset, uint256 amount)',
      '0x6fa361d03fe50ed68cc8c1195548f5a8451daa85c7da8484874f80bfc4c454a7':
        'event JobStakeReleased(address indexed account, address indexed asset, uint256 amount)',
      '0xc3e80dabd004ba9175141cc67f2bef300363f2baa6a6557aa18302d28a7904b1':
        'event JobStakeSlashed(address indexed account, address indexed asset, uint256 amount, uint256 posterAmount, uint256 treasuryAmount)',
      '0x998ef888b05d369b87d597aa0fcb7f3ee32326d742e86f473f404489d3dda891':
        'event RecurringTemplateReserveCancelled(address indexed account, address indexed asset, bytes32 indexed templateId, uint256 amount)',
      '0x0a3fbbea70e93f2daafa3102f5c9a1b8315e6d7a1e43e4bc020bc1162327470a':
        'event Repaid(address indexed account, address indexed asset, uint256 amount)',
      '0x68d9f7bb2baf992c08365672aafbb7033ed219a7c7293d1f60a3a56013213a41':
        'event ReservationReleased(address indexed account, address indexed asset, uint256 amount)',
      '0x3cdc0be5ec7141f2342208f6404c1b1852936343f0edf1fda179e6c9f46573ee':
        'event ReservationSettled(bytes32 indexed settlementId, address indexed account, address indexed recipient, address asset, uint256 amount)',
      '0x7c2e21a275247b08274b8f4e84d1a374bceaa1d0fe17270b407f07494059f60c':
        'event Reserved(address indexed account, address indexed asset, uint256 amount)',
      '0x06d31bc31cfb81ce16e203d5897640ad80b66b546a1a739fd661dd6c02afa683':
        'event SendToAgentAuthorizationUsed(address indexed from, uint256 indexed nonce, bytes32 indexed digest)',
      '0x4fc26a8743da3259e37c507b5405d0caca79848096303aec611463f3e2dc3145':
        'event StrategyAllocated(address indexed account, bytes32 indexed strategyId, address indexed asset, uint256 amount)',
      '0x76e602dada4772267429e59aea16ca5f67262a2470dd06822de43a6e026ed5b4':
        'event StrategyDeallocated(address indexed account, bytes32 indexed strategyId, address indexed asset, uint256 amount)',
      '0x94548afd7caf95865d35d3319b4ca25f926adacdba63d310ddf43511573fb2fa':
        'event StrategyRequestQueued(address indexed account, bytes32 indexed strategyId, bytes32 indexed requestId, uint8 kind, uint256 requestedAssets, uint256 requestedShares, address recipient)',
      '0x0b201f3a7119d6bece61f51c3c2b40bd506aa6b9c8b77a7bc624cfc90cfaddcf':
        'event StrategyRequestSettled(address indexed account, bytes32 indexed strategyId, bytes32 indexed requestId, uint8 status, uint256 settledAssets, uint256 settledShares, address recipient)',
      '0x9a68ef8689693fdd2712b4606b85dbb4b618147eeca950a2fc5dd731a7f8ae94':
        'event TreasuryAccountUpdated(address indexed previousTreasuryAccount, address indexed newTreasuryAccount)',
      '0xa162e19a74faf0183f1bc85e7abd50a22130646e8398e4bdb1578d9abfad913e':
        'event TreasuryCredited(address indexed treasuryAccount, address indexed asset, uint256 amount)',
      '0xd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb':
        'event Withdrawn(address indexed account, address indexed asset, uint256 amount)',
      '0x9508f1f2': 'error AuthorizationAlreadyUsed()',
      '0x5d615d32': 'error BorrowLimitExceeded()',
      '0xa899ef93': 'error ExpiredAuthorization()',
      '0xde3876b9': 'error InsolventAccount()',
      '0xbb55fd27': 'error InsufficientLiquidity()',
      '0x3e8aa400': 'error InsufficientReserved()',
      '0x9c8d2cd2': 'error InvalidRecipient()',
      '0x115931c4': 'error InvalidSettlement()',
      '0x8baa579f': 'error InvalidSignature()',
      '0x4e236e9a': 'error InvalidStrategy()',
      '0x67af79af': 'error InvalidStrategyRequest()',
      '0x44279255': 'error ProtocolPaused()',
      '0x37ed32e8': 'error ReentrantCall()',
      '0xae076d58': 'error SettlementAlreadyExecuted()',
      '0x90b8ec18': 'error TransferFailed()',
      '0x427cc1b6': 'error TreasuryAccountUnset()',
      '0x82b42900': 'error Unauthorized()',
      '0x24a01144': 'error UnsupportedAsset()',
      '0x1f2a2005': 'error ZeroAmount()',
    },
  },
  ReputationSBT: {
    structs: [],
    entries: {
      '0x70a08231': 'function balanceOf(address account) view returns (uint256)',
      '0x6352211e': 'function ownerOf(uint256 tokenId) view returns (address)',
      '0xe216f903': 'function mintBadge(address account, bytes32 category, uint256 level, string metadataURI) returns (uint256 tokenId)',
      '0xea1a2b69': 'function updateReputation(address account, uint256 skill, uint256 reliability, uint256 economic)',
      '0x4be7a74a':
        'function slashReputation(address account, uint256 skillDelta, uint256 reliabilityDelta, uint256 economicDelta, bytes32 reasonCode)',
      '0xc87b56dd': 'function tokenURI(uint256 tokenId) view returns (string)',
      '0xa9059cbb': 'function transfer(address, uint256) pure',
      '0x23b872dd': 'function transferFrom(address, address, uint256) pure',
      '0x42842e0e': 'function safeTransferFrom(address, address, uint256) pure',
      '0xb88d4fde': 'function safeTransferFrom(address, address, uint256, bytes) pure',
      '0x98e36d8b': 'function badges(uint256) view returns (address owner, bytes32 category, uint256 level, string metadataURI)',
      '0xd0aebc8c': 'function categoryLevels(address, bytes32) view returns (uint256)',
      '0x06fdde03': 'function name() view returns (string)',
      '0x75794a3c': 'function nextTokenId() view returns (uint256)',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0x06fa15a7': 'function reputations(address) view returns (uint256 skill, uint256 reliability, uint256 economic)',
      '0x95d89b41': 'function symbol() view returns (string)',
      '0x653db54a': 'function tokensByOwner(address, uint256) view returns (uint256)',
      '0x0937da9e5b73b7ad13f6f95fa2ebc3e1170810e4745dbffb5c357538ab0524df':
        'event BadgeMinted(uint256 indexed tokenId, address indexed account, bytes32 indexed category, uint256 level, string metadataURI)',
      '0xbbf494ed0e5598c7baa033cb973f6df2c84b624e9c3b6f030e279897d04297ae':
        'event ReputationSlashed(address indexed account, uint256 skillDelta, uint256 reliabilityDelta, uint256 economicDelta, bytes32 reasonCode, uint256 newSkill, uint256 newReliability, uint256 newEconomic)',
      '0xc2fd17ad7e9f23b8607f0bd02d7a6cdcccd5a964fa99ce5a066ed34c5b4bb55b':
        'event ReputationUpdated(address indexed account, uint256 skill, uint256 reliability, uint256 economic)',
      '0xa4420a95': 'error Soulbound()',
      '0x82b42900': 'error Unauthorized()',
    },
  },
  EscrowCore: {
    structs: [
      'struct ExternalSchemaRegistration { bytes32 schemaHash; string schemaUrl; address schemaIssuer; bytes schemaSignature; }',
      'struct RecurringSinglePayoutJob { bytes32 jobId; bytes32 templateId; address poster; address asset; uint256 reward; uint256 opsReserve; uint256 contingencyReserve; uint256 claimTtl; bytes32 verifierMode; bytes32 category; bytes32 specHash; bytes32 schemaHash; string schemaUrl; address schemaIssuer; bytes schemaSignature; bool protocolFeeWaived; }',
      'struct JobEscrow { address poster; address worker; address asset; bytes32 verifierMode; bytes32 category; bytes32 specHash; uint256 reward; uint256 opsReserve; uint256 contingencyReserve; uint256 released; uint256 claimExpiry; uint256 claimStake; uint16 claimStakeBps; uint256 claimFee; uint16 claimFeeBps; bool claimEconomicsWaived; address rejectingVerifier; uint256 rejectedAt; uint256 disputedAt; uint8 payoutMode; uint8 state; uint256 protocolFee; uint256 protocolFeeReleased; uint16 protocolFeeBps; bool protocolFeeWaived; }',
    ],
    entries: {
      '0x38ed7cfc': 'function jobs(bytes32 jobId) view returns (JobEscrow)',
      '0xfd152e0b':
        'function previewClaimEconomics(address worker, bytes32 jobId) view returns (uint256 claimStake, uint16 claimStakeBps, uint256 claimFee, uint16 claimFeeBps, bool waived, uint256 claimNumber)',
      '0x8e81138c': 'function retainsClaimFeeOnSuccess() pure returns (bool)',
      '0x19f2ef0d': 'function supportsGasRetention() pure returns (bool)',
      '0xcca2acd6': 'function setOnboardingWaiverEligible(bytes32 jobId, bool eligible)',
      '0x548c0df8':
        'function setFeeSchedule(uint256 newRetentionFlatRaw, uint16 newRetentionCapBps, uint16 newPosterFeeBps, uint256 newPosterFeeFloorRaw)',
      '0xd886f8a2': 'function setTreasuryAccount(address newTreasuryAccount)',
      '0x35659fb8': 'function protocolFeeBps() view returns (uint16)',
      '0x35928209': 'function previewPosterFee(uint256 reward) view returns (uint256)',
      '0x65277dfa': 'function previewProtocolFee(uint256 reward) view returns (uint256)',
      '0x7188dae2': 'function previewGasRetention(uint256 reward, bool brokered, bool waived) view returns (uint256)',
      '0x0b452fa4':
        'function createSinglePayoutJob(bytes32 jobId, address asset, uint256 reward, uint256 opsReserve, uint256 contingencyReserve, uint256 claimTtl, bytes32 verifierMode, bytes32 category, bytes32 specHash)',
      '0x7c09390e':
        'function createSinglePayoutJob(bytes32 jobId, address asset, uint256 reward, uint256 opsReserve, uint256 contingencyReserve, uint256 claimTtl, bytes32 verifierMode, bytes32 category, bytes32 specHash, ExternalSchemaRegistration externalSchema)',
      '0x7c8a9a5a':
        'function createSinglePayoutJobFeeWaived(bytes32 jobId, address asset, uint256 reward, uint256 opsReserve, uint256 contingencyReserve, uint256 claimTtl, bytes32 verifierMode, bytes32 category, bytes32 specHash, ExternalSchemaRegistration externalSchema)',
      '0xbcb2689a':
        'function createSinglePayoutJobFeeWaived(bytes32 jobId, address asset, uint256 reward, uint256 opsReserve, uint256 contingencyReserve, uint256 claimTtl, bytes32 verifierMode, bytes32 category, bytes32 specHash)',
      '0x1ad2d305': 'function createSinglePayoutJobFromRecurringReserve(RecurringSinglePayoutJob params)',
      '0x9288707f':
        'function createMilestoneJob(bytes32 jobId, address asset, uint256[] milestones, uint256 opsReserve, uint256 contingencyReserve, uint256 claimTtl, bytes32 verifierMode, bytes32 category, bytes32 specHash)',
      '0x5fcec5c6': 'function claimJob(bytes32 jobId)',
      '0x090cf6d5': 'function claimJobFor(bytes32 jobId, address worker)',
      '0xdb7260bc': 'function submitWork(bytes32 jobId, bytes32 evidenceHash)',
      '0x1b2ef921': 'function submitWorkFor(bytes32 jobId, address worker, bytes32 evidenceHash)',
      '0x2a8dc7cb': 'function disclose(bytes32 hash)',
      '0x581b2185': 'function discloseFor(bytes32 hash, address byWallet)',
      '0x7b1d1126': 'function autoDisclose(bytes32 hash)',
      '0x5c505d42': 'function handleClaimTimeout(bytes32 jobId)',
      '0x72e554c4': 'function cancelOpenJob(bytes32 jobId)',
      '0xb08c763e':
        'function resolveSinglePayout(bytes32 jobId, bool approved, bytes32 reasonCode, string metadataURI, bytes32 reasoningHash)',
      '0xb320a397':
        'function resolveMilestone(bytes32 jobId, uint256 milestoneIndex, bool approved, bytes32 reasonCode, string metadataURI, bytes32 reasoningHash)',
      '0xf08ef6cb': 'function openDispute(bytes32 jobId)',
      '0x13026572': 'function openDisputeFor(bytes32 jobId, address participant)',
      '0xa41c856b': 'function finalizeRejectedJob(bytes32 jobId)',
      '0xd9190f15': 'function resolveDispute(bytes32 jobId, uint256 workerPayout, bytes32 reasonCode, string metadataURI)',
      '0x093d86b1': 'function autoResolveOnTimeout(bytes32 jobId)',
      '0x404ca90c': 'function externalSchemaDomainSeparator() view returns (bytes32)',
      '0xe8d74b36': 'function hashExternalSchemaRegistration(bytes32 schemaHash, string schemaUrl, bytes32 jobId) view returns (bytes32)',
      '0x3416e75d': 'function ARBITRATOR_SLA() view returns (uint256)',
      '0xf585dc57': 'function DISPUTE_WINDOW() view returns (uint256)',
      '0x9f0fd6d4': 'function EXTERNAL_SCHEMA_REGISTRATION_TYPEHASH() view returns (bytes32)',
      '0x4c05abeb': 'function MAX_MILESTONES() view returns (uint256)',
      '0xa0d36514': 'function MAX_POSTER_FEE_FLOOR_RAW() view returns (uint256)',
      '0x6d947e4b': 'function MAX_PROTOCOL_FEE_BPS() view returns (uint16)',
      '0x3e7c03da': 'function MAX_RETENTION_CAP_BPS() view returns (uint16)',
      '0xb76b790f': 'function MAX_RETENTION_FLAT_RAW() view returns (uint256)',
      '0x3dc9213a': 'function MIN_OPEN_FOR_CANCEL() view returns (uint256)',
      '0x5a5cd81f': 'function REASON_ARBITRATOR_TIMEOUT() view returns (bytes32)',
      '0x90463889': 'function REASON_DISPUTE_LOST() view returns (bytes32)',
      '0xe23523c0': 'function REASON_REJECTED() view returns (bytes32)',
      '0x68cd03f6': 'function accounts() view returns (address)',
      '0xc97b9e56': 'function autoDisclosed(bytes32) view returns (bool)',
      '0xdd23e14b': 'function brokeredClaims(bytes32) view returns (bool)',
      '0xa79cd285': 'function claimTtls(bytes32) view returns (uint256)',
      '0x12758e5d': 'function createdAt(bytes32) view returns (uint256)',
      '0x217f403a':
        'function jobExternalSchemas(bytes32) view returns (bytes32 schemaHash, string schemaUrl, address schemaIssuer, bytes schemaSignature)',
      '0x86ea0965': 'function latestEvidence(bytes32) view returns (bytes32)',
      '0x631b7bd6': 'function milestoneAmounts(bytes32, uint256) view returns (uint256)',
      '0xe6cc526c': 'function milestoneReleased(bytes32, uint256) view returns (bool)',
      '0x97adc003': 'function onboardingWaiverEligibleJobs(bytes32) view returns (bool)',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0xe47c3499': 'function posterFeeBps() view returns (uint16)',
      '0x0ab13ce9': 'function posterFeeFloorRaw() view returns (uint256)',
      '0xc52164c6': 'function reputation() view returns (address)',
      '0xea30c84e': 'function retentionCapBps() view returns (uint16)',
      '0x062e23e5': 'function retentionCapBpsAtClaim(bytes32) view returns (uint16)',
      '0xae713182': 'function retentionFlatRaw() view returns (uint256)',
      '0x2e7dd975': 'function retentionFlatRawAtClaim(bytes32) view returns (uint256)',
      '0x151848ae': 'function settlementExecuted(bytes32, bytes32) view returns (bool)',
      '0x339b2cff': 'function treasuryAccount() view returns (address)',
      '0xd22dd22a': 'function workerClaimCount(address) view returns (uint256)',
      '0x54fb5bb55c46790440974277922803923a9aa6dab67eb821f80b7f66f1c822cf': 'event AutoDisclosed(bytes32 indexed hash, uint64 timestamp)',
      '0x1527eeb790ad4d929b88fed47b2ab9fe16ae22110f346eb6402daf7b2586d0c4':
        'event AutoResolvedOnTimeout(bytes32 indexed jobId, address indexed caller, uint256 workerPayout, bytes32 reasonCode)',
      '0x60f0156fe7e640b39585157d0f8b00b3a5f29f041ee5e40a1f582b48f8bda3b5':
        'event ClaimEconomicsLocked(bytes32 indexed jobId, address indexed worker, uint256 claimStake, uint256 claimFee, bool waived, uint256 claimNumber)',
      '0x70555e4444826c1b005558c47f44cbb283ce78b35e9e02e765b925f330242ee6':
        'event ClaimRetentionSnapshot(bytes32 indexed jobId, address indexed worker, bool brokered, bool waived, uint256 retentionFlatRaw, uint16 retentionCapBps)',
      '0x7b972213cfd46f7544ed1bd388418970c3cee8e5765d0ecbfeffa35c8862eba8':
        'event Disclosed(bytes32 indexed hash, address indexed byWallet, uint64 timestamp)',
      '0x74b30b10e89fcaa4fc5ffe4cbad394399cd7cfe59529e41170312d28377b874d':
        'event DisputeOpened(bytes32 indexed jobId, address indexed opener, uint256 disputedAt)',
      '0x59d06cf860b945a640b490156b257915731afce76650f18dd42d301c2c19dab6':
        'event DisputeResolved(bytes32 indexed jobId, address indexed arbitrator, uint256 workerPayout, bytes32 reasonCode, string metadataURI)',
      '0x69888553a5c795f11d97e81a76af8724059aed7fda1f08ce742bc4287e34005c':
        'event ExternalSchemaRegistered(bytes32 indexed jobId, bytes32 indexed schemaHash, address indexed schemaIssuer, string schemaUrl)',
      '0x366e36bce07f997a398052b400bcf06c6c682e9b6498debd9e29c0dd151b70a0':
        'event FeeScheduleChanged(uint256 previousRetentionFlatRaw, uint16 previousRetentionCapBps, uint16 previousPosterFeeBps, uint256 previousPosterFeeFloorRaw, uint256 newRetentionFlatRaw, uint16 newRetentionCapBps, uint16 newPosterFeeBps, uint256 newPosterFeeFloorRaw)',
      '0x2fd6000377cc3a7643507a373a0a9e169d83a83a3ab3fe0e53a93ea58da15e0a':
        'event GasRetentionApplied(bytes32 indexed jobId, address indexed worker, uint256 retainedRaw, uint256 rewardRaw)',
      '0xadb7f3d9bfcbcdbdb516ea3395cac981e65d074a4c6007d3c0458250b93c7a48':
        'event JobCancelled(bytes32 indexed jobId, address indexed poster, uint256 refundedRaw)',
      '0x3fb3a9e22d7cfe2f14bca51cecf0290cc19a5dd898ee0bbd216b8e76be68d766':
        'event JobClaimed(bytes32 indexed jobId, address indexed worker, uint256 claimExpiry, uint256 claimStake)',
      '0x1965adbb1dd230146bba5d3108b689a4f6f22d573d21b8842b56dc421eb41fa4':
        'event JobClosed(bytes32 indexed jobId, address indexed worker, uint256 releasedAmount)',
      '0x1087dc8ba1211aa7b3f21c3088e11e3987de1cef6c57a2447aaca98b1eab7f62':
        'event JobCreated(bytes32 indexed jobId, address indexed poster, bytes32 indexed specHash, address asset, uint256 totalReserved, uint8 payoutMode)',
      '0xdeb2069fd7599db01f4ed7e9070504ae4845b45884725df9db129c54d28779c6':
        'event JobFunded(bytes32 indexed jobId, address indexed poster, address indexed asset, uint256 totalReserved, uint8 payoutMode)',
      '0x66ffd56d27ef7147b5af0c0f70f9d35ef4eaf7691bba61574ff3fbe6d9b73a53': 'event JobRejected(bytes32 indexed jobId, bytes32 reasonCode)',
      '0x022019e544238a9f8b32bf1b84c8d3bce15f73ee8d77b905697025b620ffa4a6': 'event JobReopened(bytes32 indexed jobId)',
      '0x315d0d53327cca8ef25cfa00536a09a8608f7c6419c757c15e40d87df8613649':
        'event OnboardingWaiverEligibilityUpdated(bytes32 indexed jobId, bool eligible)',
      '0x034735605fe60262808c81f6944cb8e7771a7f159894aada6d886b2f3fe57912':
        'event RecurringJobFundedFromTemplate(bytes32 indexed jobId, bytes32 indexed templateId, address indexed poster, address asset, uint256 totalReserved)',
      '0x53e36b29276b78a488b807db3589a5f2ecaaf30950db3b11fb53fdfdf2f36e72':
        'event SettlementSplit(bytes32 indexed jobId, address indexed worker, address indexed treasuryAccount, address asset, uint256 workerAmount, uint256 protocolFeeAmount, uint16 protocolFeeBps)',
      '0xc81b1b1ccaa0735db34a3a11144a014cac777614cb11696ac6e85d7ede735070':
        'event Submitted(bytes32 indexed jobId, address indexed worker, bytes32 indexed payloadHash)',
      '0x9a68ef8689693fdd2712b4606b85dbb4b618147eeca950a2fc5dd731a7f8ae94':
        'event TreasuryAccountUpdated(address indexed previousTreasuryAccount, address indexed newTreasuryAccount)',
      '0x2d608da5913100b9d4ce80773c08555927c8837a7945ad6111c6a976972c9275':
        'event Verified(bytes32 indexed jobId, address indexed verifier, bool approved, bytes32 reasonCode, bytes32 reasoningHash)',
      '0xcbb3a9c750667f278e746ff21ebed16a174c9a98737bb08c3a46d139c6e97be2':
        'event WorkSubmitted(bytes32 indexed jobId, address indexed worker, bytes32 evidenceHash)',
      '0x41c0fb06': 'error AlreadyAutoDisclosed()',
      '0xb934ef85': 'error InvalidSchemaSignature()',
      '0xbaf3f0f7': 'error InvalidState()',
      '0x3b57b0bc': 'error InvalidTreasuryAccount()',
      '0x2750fc25': 'error MilestoneLimitExceeded()',
      '0x034d6768': 'error PosterFeeFloorTooHigh()',
      '0x499fddb1': 'error ProtocolFeeTooHigh()',
      '0x44279255': 'error ProtocolPaused()',
      '0x37ed32e8': 'error ReentrantCall()',
      '0xe57acc5f': 'error RetentionCapTooHigh()',
      '0x89411d58': 'error RetentionFlatTooHigh()',
      '0x82b42900': 'error Unauthorized()',
      '0xc48ed0e2': 'error UnauthorizedSchemaIssuer(address issuer)',
      '0x408c4295': 'error UnknownJob()',
      '0x1f2a2005': 'error ZeroAmount()',
    },
  },
  MockVDotAdapter: {
    structs: [],
    entries: {
      '0xb6b55f25': 'function deposit(uint256 amount) returns (uint256 sharesMinted)',
      '0x00f714ce': 'function withdraw(uint256 sharesToBurn, address recipient) returns (uint256 assetsReturned)',
      '0xce96cb77': 'function maxWithdraw(address account) view returns (uint256)',
      '0x3e32161a': 'function riskLabel() pure returns (string)',
      '0x90414bc3': 'function simulateYieldBps(uint256 bps)',
      '0xb1ee14ff': 'function MAX_YIELD_BPS_PER_CALL() view returns (uint256)',
      '0x38d52e0f': 'function asset() view returns (address)',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0xce7c2ac2': 'function shares(address) view returns (uint256)',
      '0x492f4e18': 'function strategyId() view returns (bytes32)',
      '0x01e1d114': 'function totalAssets() view returns (uint256)',
      '0x3a98ef39': 'function totalShares() view returns (uint256)',
      '0x73a19dd210f1a7f902193214c0ee91dd35ee5b4d920cba8d519eca65a7b488ca':
        'event Deposited(address indexed account, uint256 assets, uint256 shares)',
      '0x91fb9d98b786c57d74c099ccd2beca1739e9f6a81fb49001ca465c4b7591bbe2':
        'event Withdrawn(address indexed account, address indexed recipient, uint256 shares, uint256 assets)',
      '0xc2288fcc8f15c6beff3fc24713e4785e4b0aca394cc2080b8c76a3b109a6b1af':
        'event YieldSimulated(uint256 bps, uint256 oldTotalAssets, uint256 newTotalAssets)',
      '0x39996567': 'error InsufficientShares()',
      '0x310b9447': 'error NothingToAccrueOn()',
      '0x37ed32e8': 'error ReentrantCall()',
      '0x90b8ec18': 'error TransferFailed()',
      '0x82b42900': 'error Unauthorized()',
      '0xba3473ce': 'error YieldCapExceeded()',
      '0x1f2a2005': 'error ZeroAmount()',
    },
  },
}
