// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice The part of a token that the pools read.
interface IERC20Decimals {
    function decimals() external view returns (uint8);
}

/// @notice The calls of the deposit pool that the credit pool uses.
interface IDepositPool {
    function asset() external view returns (address);
    function convertToAssets(uint256 shares) external view returns (uint256);
    function pledgedShares(address owner) external view returns (uint256);
    function pledges(bytes32 loanId) external view returns (address owner, uint256 shares, bool active);
    function release(bytes32 loanId) external;
    function seize(bytes32 loanId, address receiver) external returns (uint256 assets);
}

/// @notice The call of the credit pool that the deposit pool uses.
interface ICreditPool {
    function previewLoanId(address borrower) external view returns (bytes32);
}

/// @notice A yield source of the deposit pool: requests are made now and settled later.
interface IDepositPoolVenueAdapter {
    enum RequestKind {
        Deploy,
        Recall
    }
    enum RequestStatus {
        None,
        Pending,
        Succeeded,
        Failed
    }

    struct Request {
        RequestKind kind;
        RequestStatus status;
        uint256 requestedAssets;
        uint256 settledAssets;
        uint64 returnBy;
        bool claimed;
    }

    function asset() external view returns (address);
    function lossReporter() external view returns (address);
    function managedAssets(address pool) external view returns (uint256);
    function getRequest(bytes32 requestId) external view returns (Request memory);
    function requestDeploy(uint256 assets, uint64 returnBy) external returns (bytes32 requestId);
    function requestRecall(uint256 assets, uint64 returnBy) external returns (bytes32 requestId);
    function claimSettled(bytes32 requestId) external returns (uint256 settledAssets);
}

/// @notice Errors whose names are also names of events.
library PoolErrors {
    error SharesPledged();
}
