// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IERC20} from "../lib/Interfaces.sol";
import {IDepositPoolVenueAdapter} from "../lib/PoolInterfaces.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @notice The call that an adapter makes outside of a settlement.
interface IVenueReturns {
    function recordVenueReturn(bytes32 adapterRequestId, uint256 assets) external;
}

/// @title MockVenueAdapter
/// @notice A venue of the deposit pool for tests: it holds the tokens and answers what the test has set.
contract MockVenueAdapter is IDepositPoolVenueAdapter, TokenMoves {
    address public immutable asset;
    address public lossReporter;
    uint256 public managed;
    /// @notice Tokens that the venue held when it was asked to deploy.
    uint256 public heldAtRequest;
    uint256 public nextNonce;
    /// @notice The request that was made last.
    bytes32 public lastRequestId;
    mapping(bytes32 requestId => Request) private _requests;
    /// @notice Tokens that a claim pays, whatever the request says.
    mapping(bytes32 requestId => uint256) public payouts;

    constructor(address asset_, address lossReporter_) {
        asset = asset_;
        lossReporter = lossReporter_;
    }

    /// @notice Sets what the venue says that it manages.
    function setManaged(uint256 managed_) external {
        managed = managed_;
    }

    /// @notice Replaces a request and sets what its claim pays.
    function answer(bytes32 requestId, Request calldata request, uint256 payout) external {
        _requests[requestId] = request;
        payouts[requestId] = payout;
    }

    /// @notice Sends tokens outside of a settlement.
    function release(address pool, bytes32 requestId, uint256 assets) external {
        _push(asset, pool, assets);
        IVenueReturns(pool).recordVenueReturn(requestId, assets);
    }

    /// @inheritdoc IDepositPoolVenueAdapter
    function requestDeploy(uint256 assets, uint64 returnBy) external returns (bytes32) {
        managed += assets;
        heldAtRequest = IERC20(asset).balanceOf(address(this));
        return _remember(RequestKind.Deploy, assets, returnBy);
    }

    /// @inheritdoc IDepositPoolVenueAdapter
    function requestRecall(uint256 assets, uint64 returnBy) external returns (bytes32) {
        return _remember(RequestKind.Recall, assets, returnBy);
    }

    /// @inheritdoc IDepositPoolVenueAdapter
    function claimSettled(bytes32 requestId) external returns (uint256) {
        _requests[requestId].claimed = true;
        uint256 payout = payouts[requestId];
        if (payout > 0) _push(asset, msg.sender, payout);
        return _requests[requestId].settledAssets;
    }

    /// @inheritdoc IDepositPoolVenueAdapter
    function getRequest(bytes32 requestId) external view returns (Request memory) {
        return _requests[requestId];
    }

    /// @inheritdoc IDepositPoolVenueAdapter
    function managedAssets(address) external view returns (uint256) {
        return managed;
    }

    function _remember(RequestKind kind, uint256 assets, uint64 returnBy) private returns (bytes32 requestId) {
        requestId = keccak256(abi.encode(address(this), msg.sender, kind, nextNonce++, assets, returnBy));
        _requests[requestId] = Request(kind, RequestStatus.Pending, assets, 0, returnBy, false);
        lastRequestId = requestId;
    }
}
