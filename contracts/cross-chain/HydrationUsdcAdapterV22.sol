// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {
    IXcmWrapperV22,
    RequestContext,
    RequestKinds,
    RequestParameters,
    RequestStatuses
} from "../lib/CrossChainInterfaces.sol";
import {IERC20} from "../lib/Interfaces.sol";
import {AdapterRecords} from "./AdapterRecords.sol";

/// @title HydrationUsdcAdapterV22
/// @notice A yield source on another chain: deposits and withdrawals are queued here and settled by what an observer saw there.
contract HydrationUsdcAdapterV22 is AdapterRecords {
    event DepositRequested(bytes32 indexed requestId, address indexed account, uint256 assets, uint64 nonce);
    event WithdrawRequested(
        bytes32 indexed requestId, address indexed account, address indexed recipient, uint256 shares, uint64 nonce
    );
    event TreasuryRequestStaged(
        bytes32 indexed requestId,
        uint8 indexed kind,
        address indexed stagingAuthority,
        address treasuryContext,
        uint256 amount
    );
    event RequestSettled(
        bytes32 indexed requestId,
        uint8 indexed kind,
        uint8 indexed status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32 remoteRef,
        bytes32 failureCode
    );
    event TerminalAccounting(
        bytes32 indexed requestId,
        uint256 requestedAssets,
        uint256 observedRemoteBalanceRaw,
        uint256 recoveryAssetsOutstanding
    );
    event RemoteRecoveryRequired(bytes32 indexed requestId, uint256 assets);

    error AlreadySettled();
    error AsyncOnly();
    error InvalidSettlementRatio();
    error InvalidStatus();

    modifier onlyAgentAccountCore() {
        if (msg.sender != agentAccountCore) revert Unauthorized();
        _;
    }

    constructor(
        address policy_,
        address asset_,
        bytes32 strategyId_,
        address wrapper_,
        address agentAccountCore_
    ) AdapterRecords(policy_, asset_, strategyId_, wrapper_, agentAccountCore_) {}

    /// @notice Queues a deposit of the caller's tokens; repeating the same request returns its id.
    function requestDeposit(
        address account,
        uint256 assets,
        uint256 sellAmount,
        uint256 minimumShares,
        uint256 maxFeePerLeg,
        uint64 dispatchDeadline,
        uint64 nonce
    ) external nonReentrant whenNotPaused onlyAgentAccountCore returns (bytes32 requestId) {
        (requestId,) = _deposit(
            account, assets, nonce, RequestParameters(sellAmount, minimumShares, maxFeePerLeg, dispatchDeadline)
        );
    }

    /// @notice Queues a deposit of the owner's tokens.
    function stageTreasuryDeposit(
        address treasuryContext,
        uint256 assets,
        uint256 sellAmount,
        uint256 minimumShares,
        uint256 maxFeePerLeg,
        uint64 dispatchDeadline,
        uint64 nonce
    ) external nonReentrant whenNotPaused onlyOwner returns (bytes32 requestId) {
        bool isNew;
        (requestId, isNew) = _deposit(
            treasuryContext,
            assets,
            nonce,
            RequestParameters(sellAmount, minimumShares, maxFeePerLeg, dispatchDeadline)
        );
        if (isNew) {
            emit TreasuryRequestStaged(requestId, RequestKinds.DEPOSIT, msg.sender, treasuryContext, assets);
        }
    }

    /// @notice Queues a withdrawal of free shares; repeating the same request returns its id.
    function requestWithdraw(
        address account,
        uint256 shares,
        address recipient,
        uint256 minimumAssets,
        uint256 remoteFeeBudget,
        uint64 dispatchDeadline,
        uint64 nonce
    ) external nonReentrant whenNotPaused onlyAgentAccountCore returns (bytes32 requestId) {
        (requestId,) = _withdraw(
            account, recipient, nonce, RequestParameters(shares, minimumAssets, remoteFeeBudget, dispatchDeadline)
        );
    }

    /// @notice Queues a withdrawal of free shares to the treasury context.
    function stageTreasuryWithdraw(
        address treasuryContext,
        uint256 shares,
        uint256 minimumAssets,
        uint256 remoteFeeBudget,
        uint64 dispatchDeadline,
        uint64 nonce
    ) external nonReentrant whenNotPaused onlyOwner returns (bytes32 requestId) {
        bool isNew;
        (requestId, isNew) = _withdraw(
            treasuryContext,
            treasuryContext,
            nonce,
            RequestParameters(shares, minimumAssets, remoteFeeBudget, dispatchDeadline)
        );
        if (isNew) {
            emit TreasuryRequestStaged(requestId, RequestKinds.WITHDRAW, msg.sender, treasuryContext, shares);
        }
    }

    /// @notice Passes the assets of a pending deposit to the wrapper, which calls this when it dispatches the first leg.
    function releaseAssetsToWrapper(bytes32 requestId, uint256 assets) external {
        if (msg.sender != xcmWrapper) revert Unauthorized();
        AdapterRequest storage request = _requests[requestId];
        bool valid = request.status == RequestStatuses.PENDING && request.kind == RequestKinds.DEPOSIT
            && request.requestedAssets == assets && !fundingReleased[requestId];
        if (!valid) revert InvalidRequest();
        fundingReleased[requestId] = true;
        _held -= assets;
        _push(asset, xcmWrapper, assets);
    }

    /// @notice Settles a request as it was observed. While paused only a deposit that did not happen is settled.
    function settleRequest(
        bytes32 requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        uint256 observedRemoteBalanceRaw,
        bytes32 remoteRef,
        bytes32 failureCode
    ) external nonReentrant onlyOperator {
        AdapterRequest storage request = _requests[requestId];
        if (request.status == RequestStatuses.UNKNOWN) revert InvalidRequest();
        if (status < RequestStatuses.SUCCEEDED || status > RequestStatuses.CANCELLED) revert InvalidStatus();
        if (request.settled) {
            bytes32 outcome = keccak256(abi.encode(status, settledAssets, settledShares, remoteRef, failureCode));
            if (outcome != _outcomeOf(request)) revert AlreadySettled();
            return;
        }
        bool succeeded = status == RequestStatuses.SUCCEEDED;
        bool isDeposit = request.kind == RequestKinds.DEPOSIT;
        if (policy.paused() && (succeeded || !isDeposit)) revert ProtocolPaused();
        request.status = status;
        request.settledAssets = settledAssets;
        request.settledShares = settledShares;
        request.remoteRef = remoteRef;
        request.failureCode = failureCode;
        request.settled = true;
        IXcmWrapperV22(xcmWrapper).finalizeRequest(
            requestId, status, settledAssets, settledShares, remoteRef, failureCode
        );
        emit RequestSettled(
            requestId, request.kind, status, settledAssets, settledShares, remoteRef, failureCode
        );
        if (isDeposit) _finishDeposit(requestId, request, succeeded, observedRemoteBalanceRaw);
        else _finishWithdrawal(request, succeeded);
    }

    /// @notice This source answers later only.
    function deposit(uint256) external pure returns (uint256) {
        revert AsyncOnly();
    }

    /// @notice This source answers later only.
    function withdraw(uint256, address) external pure returns (uint256) {
        revert AsyncOnly();
    }

    /// @notice Nothing can be taken out at once.
    function maxWithdraw(address) external pure returns (uint256) {
        return 0;
    }

    /// @notice How the registry labels this source.
    function riskLabel() external pure returns (string memory) {
        return "cross-chain";
    }

    function _deposit(address account, uint256 assets, uint64 nonce, RequestParameters memory parameters)
        private
        returns (bytes32 requestId, bool isNew)
    {
        RequestContext memory context =
            RequestContext(strategyId, RequestKinds.DEPOSIT, account, asset, account, assets, 0, nonce);
        (requestId, isNew) = _queue(context, parameters);
        if (!isNew) return (requestId, false);
        pendingDepositAssets += assets;
        _held += assets;
        _pull(asset, msg.sender, assets);
        emit DepositRequested(requestId, account, assets, nonce);
    }

    /// @dev The shares of a withdrawal are its `sellAmount`.
    function _withdraw(address account, address recipient, uint64 nonce, RequestParameters memory parameters)
        private
        returns (bytes32 requestId, bool isNew)
    {
        uint256 shares = parameters.sellAmount;
        RequestContext memory context =
            RequestContext(strategyId, RequestKinds.WITHDRAW, account, asset, recipient, 0, shares, nonce);
        (requestId, isNew) = _queue(context, parameters);
        if (!isNew) return (requestId, false);
        if (shares > totalShares - pendingWithdrawalShares) revert InsufficientLiquidity();
        pendingWithdrawalShares += shares;
        emit WithdrawRequested(requestId, account, recipient, shares, nonce);
    }

    /// @dev The wrapper refuses other parameters for a request that it knows.
    function _queue(RequestContext memory context, RequestParameters memory parameters)
        private
        returns (bytes32 requestId, bool isNew)
    {
        requestId = IXcmWrapperV22(xcmWrapper).queueRequest(context, parameters);
        AdapterRequest storage request = _requests[requestId];
        if (request.status != RequestStatuses.UNKNOWN) return (requestId, false);
        request.kind = context.kind;
        request.status = RequestStatuses.PENDING;
        request.account = context.account;
        request.requester = msg.sender;
        request.recipient = context.recipient;
        request.requestedAssets = context.assets;
        request.requestedShares = context.shares;
        return (requestId, true);
    }

    /// @dev A deposit that failed before its funding is returned at once; after it the assets must be recovered.
    function _finishDeposit(bytes32 requestId, AdapterRequest storage request, bool succeeded, uint256 observed)
        private
    {
        uint256 requested = request.requestedAssets;
        pendingDepositAssets -= requested;
        if (succeeded) {
            if (request.settledShares != _sharesOf(request.settledAssets)) revert InvalidSettlementRatio();
            totalAssets += request.settledAssets;
            totalShares += request.settledShares;
        } else if (fundingReleased[requestId]) {
            recoveryAssetsOutstanding[requestId] = observed < requested ? observed : requested;
        } else {
            _held -= requested;
            _push(asset, request.requester, requested);
        }
        uint256 outstanding = recoveryAssetsOutstanding[requestId];
        if (!succeeded) emit TerminalAccounting(requestId, requested, observed, outstanding);
        if (outstanding != 0) emit RemoteRecoveryRequired(requestId, outstanding);
    }

    function _finishWithdrawal(AdapterRequest storage request, bool succeeded) private {
        uint256 shares = request.requestedShares;
        pendingWithdrawalShares -= shares;
        if (!succeeded) return;
        uint256 worth = shares * totalAssets / totalShares;
        if (request.settledShares != shares || request.settledAssets > worth) revert InvalidSettlementRatio();
        totalShares -= shares;
        totalAssets -= worth;
        if (IERC20(asset).balanceOf(address(this)) < _held + request.settledAssets) revert InsufficientLiquidity();
        _push(asset, request.recipient, request.settledAssets);
    }

    function _sharesOf(uint256 assets) private view returns (uint256) {
        return totalShares == 0 ? assets : assets * totalShares / totalAssets;
    }

    function _outcomeOf(AdapterRequest storage request) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                request.status, request.settledAssets, request.settledShares, request.remoteRef, request.failureCode
            )
        );
    }
}
