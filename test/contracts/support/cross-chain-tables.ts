// The published interfaces of the cross-chain contracts: selector or topic, then the readable ABI item.
import type { AbiTable } from './abi-tables.ts'

export const CROSS_CHAIN_TABLES = {
  XcmWrapperV22: {
    structs: [
      'struct LegRecord { bytes32 destinationHash; bytes32 messageHash; uint64 refTime; uint64 proofSize; bool dispatched; }',
      'struct RequestRecord { RequestContext context; address queuedBy; uint8 status; uint256 settledAssets; uint256 settledShares; bytes32 remoteRef; bytes32 failureCode; uint64 createdAt; uint64 updatedAt; }',
      'struct RequestContext { bytes32 strategyId; uint8 kind; address account; address asset; address recipient; uint256 assets; uint256 shares; uint64 nonce; }',
      'struct RequestParameters { uint256 sellAmount; uint256 minimumOutput; uint256 maxFeePerLeg; uint64 dispatchDeadline; }',
      'struct Weight { uint64 refTime; uint64 proofSize; }',
    ],
    entries: {
      '0xb3ab15fb': 'function setOperator(address newOperator)',
      '0xeda96b66': 'function setStrategyAdapter(bytes32 strategyId, address adapter)',
      '0xbd595e87': 'function setHydrationAccountId32(bytes32 accountId32)',
      '0x1f59d6fb': 'function setDispatchPaused(bool paused_)',
      '0x35490e72': 'function previewRequestId(RequestContext context) pure returns (bytes32 requestId)',
      '0xa9a9ddc0': 'function queueRequest(RequestContext context, RequestParameters parameters) returns (bytes32 requestId)',
      '0x88b7cc19': 'function dispatchLeg(bytes32 requestId, uint8 leg, uint256 feeAmount)',
      '0xfe8c0570':
        'function previewLegMessage(bytes32 requestId, uint8 leg, uint256 feeAmount) view returns (bytes destination, bytes message, Weight maxWeight)',
      '0xfc71f168':
        'function finalizeRequest(bytes32 requestId, uint8 status, uint256 settledAssets, uint256 settledShares, bytes32 remoteRef, bytes32 failureCode)',
      '0xfb1e61ca': 'function getRequest(bytes32 requestId) view returns (RequestRecord)',
      '0x6a5ef506': 'function getRequestParameters(bytes32 requestId) view returns (RequestParameters)',
      '0xde0fbeec': 'function getRequestLeg(bytes32 requestId, uint8 leg) view returns (LegRecord)',
      '0x56112922':
        'function previewRecoveryHomeId(bytes32 requestId, uint256 amount, uint256 homeExecutionFee, uint64 nonce) view returns (bytes32 recoveryId)',
      '0x3657816c':
        'function previewRecoveryHomeMessage(bytes32 requestId, uint256 amount, uint256 homeExecutionFee, uint64 nonce) view returns (bytes destination, bytes message)',
      '0xe97b4a10':
        'function dispatchRecoveryHome(bytes32 requestId, uint256 amount, uint256 homeExecutionFee, uint64 nonce) returns (bytes32 recoveryId)',
      '0x8c479739': 'function getRecoveryHomeLeg(bytes32 recoveryId) view returns (LegRecord)',
      '0x1e0b011c': 'function releaseRecoveredAssetsToAdapter(bytes32 requestId, uint256 assets)',
      '0xebd06795': 'function DEFAULT_XCM_PRECOMPILE() view returns (address)',
      '0x30c742d9': 'function dispatchPaused() view returns (bool)',
      '0x4e3b6701': 'function hydrationAccountId32() view returns (bytes32)',
      '0x570ca735': 'function operator() view returns (address)',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0x17963c59': 'function requestAdapter(bytes32) view returns (address)',
      '0x9c3da7d7': 'function requestDispatchBitmap(bytes32) view returns (uint8)',
      '0x85d0edc6': 'function requestRecoveryReleased(bytes32) view returns (uint256)',
      '0xe55f506b': 'function strategyAdapter(bytes32) view returns (address)',
      '0x1021764e': 'function xcmPrecompile() view returns (address)',
      '0xf7721f10a3da602f9037bc243db6b7ccfcd622de6652ff6e84153d41d0584c54': 'event DispatchPauseUpdated(bool paused)',
      '0xc38ea89c616a67d0deef7ff22512746d7d8c6836945ad2e27dfc85a1e0f11619':
        'event HydrationAccountUpdated(bytes32 indexed previousAccount, bytes32 indexed newAccount)',
      '0xfbe5b6cbafb274f445d7fed869dc77a838d8243a22c460de156560e8857cad03':
        'event OperatorUpdated(address indexed previousOperator, address indexed newOperator)',
      '0xad88c41b5919e1b94cc95d2eed97b5c2f0944bee1580a42ddc6cf59140f773a7':
        'event RecoveredAssetsReleased(bytes32 indexed requestId, address indexed adapter, uint256 assets)',
      '0x308809468e4687007f921a1fcaf264f5cb9ad6fd10def0832f18e19e5daabb20':
        'event RecoveryHomeDispatched(bytes32 indexed requestId, bytes32 indexed recoveryId, uint256 amount, uint256 homeExecutionFee, uint64 nonce, bytes32 destinationHash, bytes32 messageHash)',
      '0x439bf2ffda942d2ad9e631534f6359c95a24e1f7384b20510b0f7dda9e96946e':
        'event RequestDispatched(bytes32 indexed requestId, address indexed xcmPrecompile, bytes32 destinationHash, bytes32 messageHash)',
      '0x3a10406b67ba7954d8b2768dcd3acd92bc2871630e5ec1f7abace3306a91f3b0':
        'event RequestLegDispatched(bytes32 indexed requestId, uint8 indexed leg, address indexed caller, bytes32 destinationHash, bytes32 messageHash, uint256 feeAmount)',
      '0x2b870e016b3075fdcd7360e1844c613972b3e107c35fb95243bfbce1db3e44cb':
        'event RequestParametersStored(bytes32 indexed requestId, uint256 sellAmount, uint256 minimumOutput, uint256 maxFeePerLeg, uint64 dispatchDeadline)',
      '0x83294adff22f88ab3a6a1c7e6bc91d1e7e19124f4c847409e09776643d487419':
        'event RequestQueued(bytes32 indexed requestId, bytes32 indexed strategyId, uint8 indexed kind, address account, address asset, address recipient, uint256 assets, uint256 shares, uint64 nonce)',
      '0x41798274ea22801f5f2331ea5f8e3bbf952c3bc882cda9a979d81c82233ca431':
        'event RequestStatusUpdated(bytes32 indexed requestId, uint8 indexed status, uint256 settledAssets, uint256 settledShares, bytes32 remoteRef, bytes32 failureCode)',
      '0xad6558810304142ff2731d0b7575b407b58dbdd87c44dc8a1b0866c652953537':
        'event StrategyAdapterUpdated(bytes32 indexed strategyId, address indexed previousAdapter, address indexed newAdapter)',
      '0xb40f792e': 'error CustodyMismatch()',
      '0x979eeedc': 'error DispatchDeadlineExpired()',
      '0xd20db2c3': 'error FeeAboveMaximum()',
      '0xc52a9bd3': 'error InvalidConfiguration()',
      '0x41abc801': 'error InvalidRequest()',
      '0x115931c4': 'error InvalidSettlement()',
      '0xf525e320': 'error InvalidStatus()',
      '0xa6532e5d': 'error InvalidTransition()',
      '0xa9f63a3a': 'error PlanMismatch()',
      '0x44279255': 'error ProtocolPaused()',
      '0x37ed32e8': 'error ReentrantCall()',
      '0x90b8ec18': 'error TransferFailed()',
      '0x82b42900': 'error Unauthorized()',
      '0x6d080297': 'error UnknownRequest()',
      '0xbb5a95da': 'error XcmDispatchFailed(bytes reason)',
      '0x820c74ed': 'error XcmPrecompileUnavailable()',
    },
  },
  HydrationUsdcAdapterV22: {
    structs: [
      'struct AdapterRequest { uint8 kind; uint8 status; address account; address requester; address recipient; uint256 requestedAssets; uint256 requestedShares; uint256 settledAssets; uint256 settledShares; bytes32 remoteRef; bytes32 failureCode; bool settled; }',
    ],
    entries: {
      '0xe8729d70':
        'function requestDeposit(address account, uint256 assets, uint256 sellAmount, uint256 minimumShares, uint256 maxFeePerLeg, uint64 dispatchDeadline, uint64 nonce) returns (bytes32 requestId)',
      '0x9af30c6c':
        'function stageTreasuryDeposit(address treasuryContext, uint256 assets, uint256 sellAmount, uint256 minimumShares, uint256 maxFeePerLeg, uint64 dispatchDeadline, uint64 nonce) returns (bytes32 requestId)',
      '0xe3e8766f':
        'function requestWithdraw(address account, uint256 shares, address recipient, uint256 minimumAssets, uint256 remoteFeeBudget, uint64 dispatchDeadline, uint64 nonce) returns (bytes32 requestId)',
      '0x36181001':
        'function stageTreasuryWithdraw(address treasuryContext, uint256 shares, uint256 minimumAssets, uint256 remoteFeeBudget, uint64 dispatchDeadline, uint64 nonce) returns (bytes32 requestId)',
      '0xe0078726': 'function releaseAssetsToWrapper(bytes32 requestId, uint256 assets)',
      '0x4fd3be41':
        'function settleRequest(bytes32 requestId, uint8 status, uint256 settledAssets, uint256 settledShares, uint256 observedRemoteBalanceRaw, bytes32 remoteRef, bytes32 failureCode)',
      '0xa8b74545': 'function writeOffResidue(bytes32 requestId, uint256 amountRaw, bytes32 reasonCode)',
      '0x0ff90b5b': 'function releaseRecoveredAssets(bytes32 requestId, address recipient, uint256 assets)',
      '0x32df8b16': 'function recordRemoteOperatingFloat(uint256 assets, uint64 asOf, bytes32 remoteRef)',
      '0x7c2050fe': 'function recordRemotePosition(uint256 assets, uint64 asOf, bytes32 remoteRef)',
      '0x87dfed55': 'function getAdapterRequest(bytes32 requestId) view returns (AdapterRequest)',
      '0xb6b55f25': 'function deposit(uint256) pure returns (uint256)',
      '0x00f714ce': 'function withdraw(uint256, address) pure returns (uint256)',
      '0xce96cb77': 'function maxWithdraw(address) pure returns (uint256)',
      '0x3e32161a': 'function riskLabel() pure returns (string)',
      '0xbc852640': 'function agentAccountCore() view returns (address)',
      '0x38d52e0f': 'function asset() view returns (address)',
      '0xaaedc165': 'function fundingReleased(bytes32) view returns (bool)',
      '0x5489becc': 'function pendingDepositAssets() view returns (uint256)',
      '0xd8bc5248': 'function pendingWithdrawalShares() view returns (uint256)',
      '0x0505c8c9': 'function policy() view returns (address)',
      '0xc8c2cdd2': 'function recoveryAssetsOutstanding(bytes32) view returns (uint256)',
      '0x4720d81a': 'function remoteOperatingFloat() view returns (uint256)',
      '0xa1a6c6a1': 'function remoteOperatingFloatAsOf() view returns (uint64)',
      '0xcdbd2bde': 'function remoteOperatingFloatRef() view returns (bytes32)',
      '0x159e832b': 'function remotePositionAsOf() view returns (uint64)',
      '0xb3e904ea': 'function remotePositionRef() view returns (bytes32)',
      '0xfe4f01b1': 'function requiresRemoteRecovery(bytes32) view returns (bool)',
      '0x492f4e18': 'function strategyId() view returns (bytes32)',
      '0x01e1d114': 'function totalAssets() view returns (uint256)',
      '0x3a98ef39': 'function totalShares() view returns (uint256)',
      '0x21203739': 'function xcmWrapper() view returns (address)',
      '0xaedff6c6e2a97c90c1df1aaf2a35e08b4ffdeceba39a8792dca64f15ae49cd52':
        'event DepositRequested(bytes32 indexed requestId, address indexed account, uint256 assets, uint64 nonce)',
      '0x1b11ed828c99942ec930f234fbf76852e28e337131b09e132d3c781b656926fb':
        'event RecoveredAssetsReleased(bytes32 indexed requestId, address indexed recipient, uint256 assets, uint256 remaining)',
      '0x834ef406fc0bb48781a5cb0fe42f20cedabf8d2ee1af1f992102b5f799b944b0':
        'event RemoteOperatingFloatObserved(uint256 assets, uint64 asOf, bytes32 indexed remoteRef)',
      '0xc83f33b9701e809e6a3c95677b19aef37b970389e441bf5c26671d9fd6115750':
        'event RemotePositionObserved(uint256 assets, uint256 shares, uint64 asOf, bytes32 indexed remoteRef)',
      '0xc784cb81a8d32d0598d7deeab9d0e19948f5da6f86c05052e83be1620b19adc5':
        'event RemoteRecoveryRequired(bytes32 indexed requestId, uint256 assets)',
      '0x6542fdea740955cad7dadbcc122b2707c4de8b1c60da8c02e697900f047d7272':
        'event RequestSettled(bytes32 indexed requestId, uint8 indexed kind, uint8 indexed status, uint256 settledAssets, uint256 settledShares, bytes32 remoteRef, bytes32 failureCode)',
      '0x01a29a96b4cb91131e2aeb5be087f5a02e56957779416e775164813ff81c4bc7':
        'event ResidueWrittenOff(bytes32 indexed requestId, uint256 amountRaw, bytes32 indexed reasonCode, uint256 remaining)',
      '0xaa300afc73c5977ee1566bfaf150da7ecbe3053ba454c6edc0151b0302e31a9f':
        'event TerminalAccounting(bytes32 indexed requestId, uint256 requestedAssets, uint256 observedRemoteBalanceRaw, uint256 recoveryAssetsOutstanding)',
      '0x16f32a2e6ce61ec120f5b806930020efed019a62fc9a5db85e639511097fca64':
        'event TreasuryRequestStaged(bytes32 indexed requestId, uint8 indexed kind, address indexed stagingAuthority, address treasuryContext, uint256 amount)',
      '0x80fb1a92c848e44af863d2f9292d9005b82e497fba32fa6fe125a32654790eb7':
        'event WithdrawRequested(bytes32 indexed requestId, address indexed account, address indexed recipient, uint256 shares, uint64 nonce)',
      '0x560ff900': 'error AlreadySettled()',
      '0x9c960ece': 'error AsyncOnly()',
      '0xbb55fd27': 'error InsufficientLiquidity()',
      '0x41abc801': 'error InvalidRequest()',
      '0x3ad7f561': 'error InvalidSettlementRatio()',
      '0xf525e320': 'error InvalidStatus()',
      '0x44279255': 'error ProtocolPaused()',
      '0x37ed32e8': 'error ReentrantCall()',
      '0x90b8ec18': 'error TransferFailed()',
      '0x82b42900': 'error Unauthorized()',
    },
  },
  IXcm: {
    structs: ['struct Weight { uint64 refTime; uint64 proofSize; }'],
    entries: {
      '0xd3b7e04d': 'function execute(bytes message, Weight maxWeight)',
      '0x7f0a3bf9': 'function send(bytes destination, bytes message)',
      '0x47400c23': 'function weighMessage(bytes message) view returns (Weight)',
    },
  },
} as const satisfies Readonly<Record<string, AbiTable>>
