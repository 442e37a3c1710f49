// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {Weight} from "./StrategyInterfaces.sol";

/// @notice What a request is about; its hash is the id of the request.
struct RequestContext {
    bytes32 strategyId;
    uint8 kind;
    address account;
    address asset;
    address recipient;
    uint256 assets;
    uint256 shares;
    uint64 nonce;
}

/// @notice Limits of a request: amount to trade, least amount to receive, fee of each remote leg, last second of dispatch or zero.
struct RequestParameters {
    uint256 sellAmount;
    uint256 minimumOutput;
    uint256 maxFeePerLeg;
    uint64 dispatchDeadline;
}

/// @notice Values of the `kind` of a request.
library RequestKinds {
    uint8 internal constant DEPOSIT = 0;
    uint8 internal constant WITHDRAW = 1;
}

/// @notice Values of the `status` of a request.
library RequestStatuses {
    uint8 internal constant UNKNOWN = 0;
    uint8 internal constant PENDING = 1;
    uint8 internal constant SUCCEEDED = 2;
    uint8 internal constant FAILED = 3;
    uint8 internal constant CANCELLED = 4;
}

/// @notice The cross-chain precompile of the hub.
interface IXcm {
    function execute(bytes calldata message, Weight calldata maxWeight) external;
    function send(bytes calldata destination, bytes calldata message) external;
    function weighMessage(bytes calldata message) external view returns (Weight memory);
}

/// @notice The calls of the wrapper that the adapter uses.
interface IXcmWrapperV22 {
    function requestRecoveryReleased(bytes32 requestId) external view returns (uint256);
    function previewRequestId(RequestContext calldata context) external pure returns (bytes32 requestId);
    function queueRequest(RequestContext calldata context, RequestParameters calldata parameters)
        external
        returns (bytes32 requestId);
    function finalizeRequest(
        bytes32 requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32 remoteRef,
        bytes32 failureCode
    ) external;
}

/// @notice The calls of the adapter that the wrapper uses.
interface IHydrationAdapter {
    function releaseAssetsToWrapper(bytes32 requestId, uint256 assets) external;
    function recoveryAssetsOutstanding(bytes32 requestId) external view returns (uint256);
}

/// @notice The role that may close the dispatch besides the owner.
interface IPauser {
    function pauser() external view returns (address);
}
