// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice What the registry stores about one yield source.
struct StrategyMetadata {
    bytes32 strategyId;
    address adapter;
    address asset;
    string riskLabel;
    bool active;
}

/// @notice Two-dimensional execution weight of a cross-chain message.
struct Weight {
    uint64 refTime;
    uint64 proofSize;
}

/// @notice The list of approved yield sources.
interface IStrategyAdapterRegistry {
    function getStrategy(bytes32 strategyId) external view returns (StrategyMetadata memory);
}

/// @notice A yield source that answers in the same transaction.
interface IStrategyAdapter {
    function maxWithdraw(address account) external view returns (uint256);
    function asset() external view returns (address);
    function strategyId() external view returns (bytes32);
    function riskLabel() external view returns (string memory);
    function totalAssets() external view returns (uint256);
    function totalShares() external view returns (uint256);
    function deposit(uint256 amount) external returns (uint256 sharesMinted);
    function withdraw(uint256 shares, address recipient) external returns (uint256 assetsReturned);
}

/// @notice A yield source on another chain: requests are queued now and settled later.
interface IAsyncStrategyAdapter is IStrategyAdapter {
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

    function pendingDepositAssets() external view returns (uint256);
    function pendingWithdrawalShares() external view returns (uint256);
    function getAdapterRequest(bytes32 requestId) external view returns (AdapterRequest memory);
    function requestDeposit(
        address account,
        uint256 assets,
        bytes calldata destination,
        bytes calldata message,
        Weight calldata maxWeight,
        uint64 nonce
    ) external returns (bytes32 requestId);
    function requestWithdraw(
        address account,
        uint256 shares,
        address recipient,
        bytes calldata destination,
        bytes calldata message,
        Weight calldata maxWeight,
        uint64 nonce
    ) external returns (bytes32 requestId);
    function settleRequest(
        bytes32 requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32 remoteRef,
        bytes32 failureCode
    ) external;
}
