// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {RequestContext, RequestKinds, RequestParameters, RequestStatuses} from "../lib/CrossChainInterfaces.sol";
import {WrapperSettings} from "./WrapperSettings.sol";

/// @notice Requests of adapters: queued once under the hash of their context, ended once.
abstract contract WrapperRequests is WrapperSettings {
    struct LegRecord {
        bytes32 destinationHash;
        bytes32 messageHash;
        uint64 refTime;
        uint64 proofSize;
        bool dispatched;
    }

    struct RequestRecord {
        RequestContext context;
        address queuedBy;
        uint8 status;
        uint256 settledAssets;
        uint256 settledShares;
        bytes32 remoteRef;
        bytes32 failureCode;
        uint64 createdAt;
        uint64 updatedAt;
    }

    event RequestQueued(
        bytes32 indexed requestId,
        bytes32 indexed strategyId,
        uint8 indexed kind,
        address account,
        address asset,
        address recipient,
        uint256 assets,
        uint256 shares,
        uint64 nonce
    );
    event RequestParametersStored(
        bytes32 indexed requestId,
        uint256 sellAmount,
        uint256 minimumOutput,
        uint256 maxFeePerLeg,
        uint64 dispatchDeadline
    );
    event RequestStatusUpdated(
        bytes32 indexed requestId,
        uint8 indexed status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32 remoteRef,
        bytes32 failureCode
    );

    error InvalidRequest();
    error InvalidSettlement();
    error InvalidStatus();
    error InvalidTransition();
    error PlanMismatch();
    error UnknownRequest();

    /// @notice The adapter that queued a request.
    mapping(bytes32 requestId => address) public requestAdapter;
    /// @notice One bit per leg that was dispatched.
    mapping(bytes32 requestId => uint8) public requestDispatchBitmap;
    mapping(bytes32 requestId => RequestRecord) internal _requests;
    mapping(bytes32 requestId => RequestParameters) internal _parameters;

    modifier whenDispatchOpen() {
        if (dispatchPaused || policy.paused()) revert ProtocolPaused();
        _;
    }

    /// @notice The id under which a request is queued.
    function previewRequestId(RequestContext calldata context) public pure returns (bytes32 requestId) {
        return keccak256(abi.encode(context));
    }

    /// @notice Queues a request of the strategy's adapter; repeating the same request returns its id.
    function queueRequest(RequestContext calldata context, RequestParameters calldata parameters)
        external
        nonReentrant
        whenDispatchOpen
        returns (bytes32 requestId)
    {
        if (msg.sender != strategyAdapter[context.strategyId]) revert Unauthorized();
        _requireValid(context, parameters);
        requestId = previewRequestId(context);
        if (_requests[requestId].status != RequestStatuses.UNKNOWN) {
            if (keccak256(abi.encode(parameters)) != keccak256(abi.encode(_parameters[requestId]))) revert PlanMismatch();
            return requestId;
        }
        RequestRecord storage request = _requests[requestId];
        request.context = context;
        request.queuedBy = msg.sender;
        request.status = RequestStatuses.PENDING;
        request.createdAt = uint64(block.timestamp);
        request.updatedAt = uint64(block.timestamp);
        requestAdapter[requestId] = msg.sender;
        _parameters[requestId] = parameters;
        _announce(requestId, context, parameters);
    }

    /// @notice Ends a request; an identical repeat changes nothing. A success needs both legs, anything else settles nothing.
    function finalizeRequest(
        bytes32 requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32 remoteRef,
        bytes32 failureCode
    ) external nonReentrant {
        RequestRecord storage request = _known(requestId);
        if (msg.sender != request.queuedBy && msg.sender != policy.owner()) revert Unauthorized();
        if (status < RequestStatuses.SUCCEEDED || status > RequestStatuses.CANCELLED) revert InvalidStatus();
        if (request.status != RequestStatuses.PENDING) {
            bytes32 outcome = keccak256(abi.encode(status, settledAssets, settledShares, remoteRef, failureCode));
            if (outcome != _outcomeOf(request)) revert InvalidTransition();
            return;
        }
        if (status == RequestStatuses.SUCCEEDED) _requireSuccess(requestId, request.context.kind);
        else if (settledAssets != 0 || settledShares != 0) revert InvalidSettlement();
        request.status = status;
        request.settledAssets = settledAssets;
        request.settledShares = settledShares;
        request.remoteRef = remoteRef;
        request.failureCode = failureCode;
        request.updatedAt = uint64(block.timestamp);
        emit RequestStatusUpdated(requestId, status, settledAssets, settledShares, remoteRef, failureCode);
    }

    /// @notice A request; all zero for an unknown one.
    function getRequest(bytes32 requestId) external view returns (RequestRecord memory) {
        return _requests[requestId];
    }

    /// @notice The limits of a request.
    function getRequestParameters(bytes32 requestId) external view returns (RequestParameters memory) {
        return _parameters[requestId];
    }

    function _known(bytes32 requestId) internal view returns (RequestRecord storage request) {
        request = _requests[requestId];
        if (request.status == RequestStatuses.UNKNOWN) revert UnknownRequest();
    }

    /// @dev The two legs of a kind stand next to each other in the bitmap.
    function _legsOf(uint8 kind) internal pure returns (uint8) {
        return kind == RequestKinds.DEPOSIT ? 3 : 12;
    }

    function _announce(bytes32 requestId, RequestContext calldata context, RequestParameters calldata parameters)
        private
    {
        emit RequestQueued(
            requestId,
            context.strategyId,
            context.kind,
            context.account,
            context.asset,
            context.recipient,
            context.assets,
            context.shares,
            context.nonce
        );
        emit RequestParametersStored(
            requestId,
            parameters.sellAmount,
            parameters.minimumOutput,
            parameters.maxFeePerLeg,
            parameters.dispatchDeadline
        );
    }

    function _requireSuccess(bytes32 requestId, uint8 kind) private view {
        if (policy.paused()) revert ProtocolPaused();
        if (requestDispatchBitmap[requestId] != _legsOf(kind)) revert InvalidTransition();
    }

    /// @dev Amounts of a message have 128 bits.
    function _requireValid(RequestContext calldata context, RequestParameters calldata parameters) private pure {
        uint256 most = type(uint128).max;
        bool valid = context.nonce != 0 && context.account != address(0) && context.recipient != address(0)
            && context.assets <= most && context.shares <= most && parameters.maxFeePerLeg <= most;
        if (!valid) revert InvalidRequest();
        if (context.kind == RequestKinds.DEPOSIT) {
            valid = context.assets != 0 && context.shares == 0 && parameters.sellAmount != 0
                && parameters.sellAmount <= most && parameters.minimumOutput <= most
                && parameters.sellAmount + parameters.maxFeePerLeg <= context.assets;
        } else {
            valid = context.kind == RequestKinds.WITHDRAW && context.assets == 0 && context.shares != 0
                && parameters.sellAmount == context.shares && parameters.minimumOutput <= context.shares;
        }
        if (!valid) revert InvalidRequest();
    }

    function _outcomeOf(RequestRecord storage request) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                request.status, request.settledAssets, request.settledShares, request.remoteRef, request.failureCode
            )
        );
    }
}
