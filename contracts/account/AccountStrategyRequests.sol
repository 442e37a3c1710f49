// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountStrategies} from "./AccountStrategies.sol";
import {IAsyncStrategyAdapter, StrategyMetadata, Weight} from "../lib/StrategyInterfaces.sol";

/// @notice Requests to yield sources that answer later.
abstract contract AccountStrategyRequests is AccountStrategies {
    enum RequestKind {
        Deposit,
        Withdraw,
        Claim
    }

    enum RequestStatus {
        Unknown,
        Pending,
        Succeeded,
        Failed,
        Cancelled
    }

    struct StrategyDepositRequestParams {
        bytes32 strategyId;
        uint256 amount;
        bytes destination;
        bytes message;
        Weight maxWeight;
        uint64 nonce;
    }

    struct StrategyWithdrawRequestParams {
        bytes32 strategyId;
        uint256 shares;
        address recipient;
        bytes destination;
        bytes message;
        Weight maxWeight;
        uint64 nonce;
    }

    struct StrategyRequest {
        bytes32 strategyId;
        address adapter;
        address account;
        address asset;
        address recipient;
        RequestKind kind;
        RequestStatus status;
        uint256 requestedAssets;
        uint256 requestedShares;
        uint256 settledAssets;
        uint256 settledShares;
        bytes32 remoteRef;
        bytes32 failureCode;
        bool settled;
    }

    event StrategyRequestQueued(
        address indexed account,
        bytes32 indexed strategyId,
        bytes32 indexed requestId,
        uint8 kind,
        uint256 requestedAssets,
        uint256 requestedShares,
        address recipient
    );
    event StrategyRequestSettled(
        address indexed account,
        bytes32 indexed strategyId,
        bytes32 indexed requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        address recipient
    );

    error InvalidStrategyRequest();

    mapping(bytes32 requestId => StrategyRequest) public strategyRequests;
    mapping(address account => mapping(address asset => uint256)) public pendingStrategyAssets;
    mapping(address account => mapping(bytes32 strategyId => uint256)) public pendingStrategyWithdrawalShares;

    modifier onlyAccountOrStrategySettler(address account) {
        if (msg.sender != account && !policy.strategySettler(msg.sender)) revert Unauthorized();
        _;
    }

    /// @notice Queues a deposit of spendable funds; repeating the same request returns its id.
    function requestStrategyDeposit(address account, StrategyDepositRequestParams calldata params)
        external
        nonReentrant
        whenNotPaused
        onlyAccountOrStrategySettler(account)
        returns (bytes32 requestId)
    {
        if (params.amount == 0) revert ZeroAmount();
        StrategyMetadata memory strategy = _strategy(params.strategyId, true);
        StrategyRequest memory request =
            _newRequest(strategy, account, account, RequestKind.Deposit, params.amount, 0);
        requestId = _requestId(request, params.nonce);
        if (strategyRequests[requestId].status != RequestStatus.Unknown) return requestId;
        _spend(account, strategy.asset, params.amount);
        pendingStrategyAssets[account][strategy.asset] += params.amount;
        strategyRequests[requestId] = request;
        _approveExactly(strategy.asset, strategy.adapter, params.amount);
        bytes32 answer = IAsyncStrategyAdapter(strategy.adapter).requestDeposit(
            account, params.amount, params.destination, params.message, params.maxWeight, params.nonce
        );
        _announce(requestId, answer, request);
    }

    /// @notice Queues a withdrawal of free shares; repeating the same request returns its id.
    function requestStrategyWithdraw(address account, StrategyWithdrawRequestParams calldata params)
        external
        nonReentrant
        whenNotPaused
        onlyAccountOrStrategySettler(account)
        returns (bytes32 requestId)
    {
        if (params.shares == 0) revert ZeroAmount();
        _requireWithdrawRecipient(account, params.recipient);
        StrategyMetadata memory strategy = _strategy(params.strategyId, true);
        StrategyRequest memory request =
            _newRequest(strategy, account, params.recipient, RequestKind.Withdraw, 0, params.shares);
        requestId = _requestId(request, params.nonce);
        if (strategyRequests[requestId].status != RequestStatus.Unknown) return requestId;
        uint256 pending = pendingStrategyWithdrawalShares[account][params.strategyId];
        if (strategyShares[account][params.strategyId] - pending < params.shares) revert InsufficientLiquidity();
        pendingStrategyWithdrawalShares[account][params.strategyId] = pending + params.shares;
        strategyRequests[requestId] = request;
        bytes32 answer = IAsyncStrategyAdapter(strategy.adapter).requestWithdraw(
            account,
            params.shares,
            params.recipient,
            params.destination,
            params.message,
            params.maxWeight,
            params.nonce
        );
        _announce(requestId, answer, request);
    }

    /// @notice Settles a queued request. While paused only the refund of a deposit that did not happen passes.
    function settleStrategyRequest(
        bytes32 requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32 remoteRef,
        bytes32 failureCode
    ) external nonReentrant {
        if (!policy.strategySettler(msg.sender)) revert Unauthorized();
        if (status < uint8(RequestStatus.Succeeded) || status > uint8(RequestStatus.Cancelled)) {
            revert InvalidStrategyRequest();
        }
        StrategyRequest storage request = strategyRequests[requestId];
        if (request.status == RequestStatus.Unknown) revert InvalidStrategyRequest();
        bytes32 outcome = keccak256(abi.encode(status, settledAssets, settledShares, remoteRef, failureCode));
        if (request.settled) {
            if (outcome != _outcomeOf(request)) revert InvalidStrategyRequest();
            return;
        }
        bool succeeded = status == uint8(RequestStatus.Succeeded);
        if (succeeded || request.kind != RequestKind.Deposit) _requireNotPaused();
        request.status = RequestStatus(status);
        request.settledAssets = settledAssets;
        request.settledShares = settledShares;
        request.remoteRef = remoteRef;
        request.failureCode = failureCode;
        request.settled = true;
        IAsyncStrategyAdapter(request.adapter).settleRequest(
            requestId, status, settledAssets, settledShares, remoteRef, failureCode
        );
        if (request.kind == RequestKind.Deposit) _finishDeposit(request, succeeded);
        else _finishWithdrawal(request, succeeded);
        emit StrategyRequestSettled(
            request.account, request.strategyId, requestId, status, settledAssets, settledShares, request.recipient
        );
    }

    function _finishDeposit(StrategyRequest storage request, bool succeeded) private {
        address account = request.account;
        pendingStrategyAssets[account][request.asset] -= request.requestedAssets;
        if (!succeeded) {
            positions[account][request.asset].liquid += request.requestedAssets;
            return;
        }
        strategyShares[account][request.strategyId] += request.settledShares;
        _remark(account, request.strategyId, request.adapter, request.asset);
    }

    function _finishWithdrawal(StrategyRequest storage request, bool succeeded) private {
        address account = request.account;
        pendingStrategyWithdrawalShares[account][request.strategyId] -= request.requestedShares;
        if (!succeeded) return;
        strategyShares[account][request.strategyId] -= request.requestedShares;
        _remark(account, request.strategyId, request.adapter, request.asset);
        if (request.recipient == address(this)) positions[account][request.asset].liquid += request.settledAssets;
        else policy.recordOutflow(account, request.settledAssets);
    }

    function _announce(bytes32 requestId, bytes32 answer, StrategyRequest memory request) private {
        require(answer == requestId, "REQUEST_ID_MISMATCH");
        emit StrategyRequestQueued(
            request.account,
            request.strategyId,
            requestId,
            uint8(request.kind),
            request.requestedAssets,
            request.requestedShares,
            request.recipient
        );
    }

    /// @dev The owner of the shares chooses freely; a settler may only pay the account or this contract.
    function _requireWithdrawRecipient(address account, address recipient) private view {
        if (recipient == address(0)) revert InvalidRecipient();
        if (msg.sender != account && recipient != account && recipient != address(this)) revert InvalidRecipient();
    }

    function _newRequest(
        StrategyMetadata memory strategy,
        address account,
        address recipient,
        RequestKind kind,
        uint256 assets,
        uint256 shares
    ) private pure returns (StrategyRequest memory request) {
        request.strategyId = strategy.strategyId;
        request.adapter = strategy.adapter;
        request.account = account;
        request.asset = strategy.asset;
        request.recipient = recipient;
        request.kind = kind;
        request.status = RequestStatus.Pending;
        request.requestedAssets = assets;
        request.requestedShares = shares;
    }

    function _requestId(StrategyRequest memory request, uint64 nonce) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                request.strategyId,
                request.kind,
                request.account,
                request.asset,
                request.recipient,
                request.requestedAssets,
                request.requestedShares,
                nonce
            )
        );
    }

    function _outcomeOf(StrategyRequest storage request) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                request.status, request.settledAssets, request.settledShares, request.remoteRef, request.failureCode
            )
        );
    }
}
