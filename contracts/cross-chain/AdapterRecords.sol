// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IXcmWrapperV22, RequestStatuses} from "../lib/CrossChainInterfaces.sol";
import {ITreasuryPolicy} from "../lib/Interfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @notice What the adapter has on the venue's chain, as its operator observed it, and what failed requests left there.
abstract contract AdapterRecords is ReentrancyLock, TokenMoves {
    struct AdapterRequest {
        uint8 kind;
        uint8 status;
        address account;
        address requester;
        address recipient;
        uint256 requestedAssets;
        uint256 requestedShares;
        uint256 settledAssets;
        uint256 settledShares;
        bytes32 remoteRef;
        bytes32 failureCode;
        bool settled;
    }

    event RecoveredAssetsReleased(
        bytes32 indexed requestId, address indexed recipient, uint256 assets, uint256 remaining
    );
    event RemoteOperatingFloatObserved(uint256 assets, uint64 asOf, bytes32 indexed remoteRef);
    event RemotePositionObserved(uint256 assets, uint256 shares, uint64 asOf, bytes32 indexed remoteRef);
    event ResidueWrittenOff(
        bytes32 indexed requestId, uint256 amountRaw, bytes32 indexed reasonCode, uint256 remaining
    );

    error InsufficientLiquidity();
    error InvalidRequest();
    error ProtocolPaused();
    error Unauthorized();

    ITreasuryPolicy public immutable policy;
    address public immutable asset;
    bytes32 public immutable strategyId;
    address public immutable xcmWrapper;
    address public immutable agentAccountCore;
    uint256 public totalAssets;
    uint256 public totalShares;
    uint256 public pendingDepositAssets;
    uint256 public pendingWithdrawalShares;
    uint256 public remoteOperatingFloat;
    uint64 public remoteOperatingFloatAsOf;
    bytes32 public remoteOperatingFloatRef;
    uint64 public remotePositionAsOf;
    bytes32 public remotePositionRef;
    /// @notice Whether the assets of a deposit have left this contract for the wrapper.
    mapping(bytes32 requestId => bool) public fundingReleased;
    /// @notice Assets of a failed deposit that are not back yet.
    mapping(bytes32 requestId => uint256) public recoveryAssetsOutstanding;
    mapping(bytes32 requestId => AdapterRequest) internal _requests;
    mapping(bytes32 requestId => uint256) private _recovered;
    /// @dev Assets of deposits that neither left for the wrapper nor were settled.
    uint256 internal _held;

    modifier onlyOwner() {
        if (msg.sender != policy.owner()) revert Unauthorized();
        _;
    }

    modifier onlyOperator() {
        if (!policy.strategySettler(msg.sender)) revert Unauthorized();
        _;
    }

    modifier whenNotPaused() {
        if (policy.paused()) revert ProtocolPaused();
        _;
    }

    constructor(
        address policy_,
        address asset_,
        bytes32 strategyId_,
        address wrapper_,
        address agentAccountCore_
    ) {
        policy = ITreasuryPolicy(policy_);
        asset = asset_;
        strategyId = strategyId_;
        xcmWrapper = wrapper_;
        agentAccountCore = agentAccountCore_;
    }

    /// @notice Gives up assets of a failed deposit that cannot be recovered.
    function writeOffResidue(bytes32 requestId, uint256 amountRaw, bytes32 reasonCode) external onlyOwner {
        uint256 outstanding = recoveryAssetsOutstanding[requestId];
        if (reasonCode == bytes32(0) || amountRaw == 0 || amountRaw > outstanding) revert InvalidRequest();
        recoveryAssetsOutstanding[requestId] = outstanding - amountRaw;
        emit ResidueWrittenOff(requestId, amountRaw, reasonCode, outstanding - amountRaw);
    }

    /// @notice Pays assets that the wrapper returned for a failed deposit; by its requester or the owner.
    function releaseRecoveredAssets(bytes32 requestId, address recipient, uint256 assets) external {
        if (msg.sender != _requests[requestId].requester && msg.sender != policy.owner()) revert Unauthorized();
        uint256 outstanding = recoveryAssetsOutstanding[requestId];
        if (recipient == address(0) || assets == 0 || assets > outstanding) revert InvalidRequest();
        uint256 recovered = _recovered[requestId] + assets;
        if (recovered > IXcmWrapperV22(xcmWrapper).requestRecoveryReleased(requestId)) revert InsufficientLiquidity();
        _recovered[requestId] = recovered;
        recoveryAssetsOutstanding[requestId] = outstanding - assets;
        _push(asset, recipient, assets);
        emit RecoveredAssetsReleased(requestId, recipient, assets, outstanding - assets);
    }

    /// @notice Records what pays the fees on the venue's chain.
    function recordRemoteOperatingFloat(uint256 assets, uint64 asOf, bytes32 remoteRef) external onlyOperator {
        _requireNewer(asOf, remoteOperatingFloatAsOf);
        remoteOperatingFloat = assets;
        remoteOperatingFloatAsOf = asOf;
        remoteOperatingFloatRef = remoteRef;
        emit RemoteOperatingFloatObserved(assets, asOf, remoteRef);
    }

    /// @notice Records what all shares are worth on the venue's chain.
    function recordRemotePosition(uint256 assets, uint64 asOf, bytes32 remoteRef) external onlyOperator {
        _requireNewer(asOf, remotePositionAsOf);
        if ((totalShares == 0) != (assets == 0)) revert InvalidRequest();
        totalAssets = assets;
        remotePositionAsOf = asOf;
        remotePositionRef = remoteRef;
        emit RemotePositionObserved(assets, totalShares, asOf, remoteRef);
    }

    /// @notice A request; all zero for an unknown one.
    function getAdapterRequest(bytes32 requestId) external view returns (AdapterRequest memory) {
        return _requests[requestId];
    }

    /// @notice Whether assets of a failed deposit are still on the venue's chain or on their way.
    function requiresRemoteRecovery(bytes32 requestId) external view returns (bool) {
        return recoveryAssetsOutstanding[requestId] != 0;
    }

    function _requireNewer(uint64 asOf, uint64 known) private view {
        if (asOf <= known || asOf > block.timestamp) revert InvalidRequest();
    }
}
