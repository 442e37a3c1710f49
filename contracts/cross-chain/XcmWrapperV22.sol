// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {
    IHydrationAdapter,
    IXcm,
    RequestContext,
    RequestKinds,
    RequestParameters,
    RequestStatuses
} from "../lib/CrossChainInterfaces.sol";
import {IERC20} from "../lib/Interfaces.sol";
import {Weight} from "../lib/StrategyInterfaces.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";
import {WrapperRequests} from "./WrapperRequests.sol";
import {WrapperSettings} from "./WrapperSettings.sol";
import {XcmMessages} from "./XcmMessages.sol";

/// @title XcmWrapperV22
/// @notice The transport of cross-chain requests. It builds every destination and message itself.
contract XcmWrapperV22 is WrapperRequests, TokenMoves {
    uint8 private constant DEPOSIT_FUNDING = 0;
    uint8 private constant DEPOSIT_SELL = 1;
    uint8 private constant WITHDRAW_SELL = 2;
    uint8 private constant WITHDRAW_HOME = 3;

    event RequestDispatched(
        bytes32 indexed requestId, address indexed xcmPrecompile, bytes32 destinationHash, bytes32 messageHash
    );
    event RequestLegDispatched(
        bytes32 indexed requestId,
        uint8 indexed leg,
        address indexed caller,
        bytes32 destinationHash,
        bytes32 messageHash,
        uint256 feeAmount
    );
    event RecoveryHomeDispatched(
        bytes32 indexed requestId,
        bytes32 indexed recoveryId,
        uint256 amount,
        uint256 homeExecutionFee,
        uint64 nonce,
        bytes32 destinationHash,
        bytes32 messageHash
    );
    event RecoveredAssetsReleased(bytes32 indexed requestId, address indexed adapter, uint256 assets);

    error CustodyMismatch();
    error DispatchDeadlineExpired();
    error FeeAboveMaximum();
    error XcmDispatchFailed(bytes reason);
    error XcmPrecompileUnavailable();

    /// @notice Recovered assets of a request that the adapter has received.
    mapping(bytes32 requestId => uint256) public requestRecoveryReleased;
    mapping(bytes32 requestId => mapping(uint8 leg => LegRecord)) private _legs;
    mapping(bytes32 recoveryId => LegRecord) private _recoveries;

    constructor(address policy_, address xcmPrecompile_) WrapperSettings(policy_, xcmPrecompile_) {}

    /// @notice Dispatches one leg, in the order of its kind; a leg that was dispatched is not sent again.
    function dispatchLeg(bytes32 requestId, uint8 leg, uint256 feeAmount) external nonReentrant whenDispatchOpen {
        if (msg.sender != operator) revert Unauthorized();
        RequestRecord storage request = _known(requestId);
        _requireLegOf(request.context.kind, leg);
        uint8 bit = uint8(1 << leg);
        if (requestDispatchBitmap[requestId] & bit != 0) return;
        _requireDispatchable(requestId, leg, feeAmount);
        requestDispatchBitmap[requestId] |= bit;
        if (leg == DEPOSIT_FUNDING) _takeCustody(requestId, request.context);
        (bytes memory destination, bytes memory message) = _message(requestId, leg, feeAmount);
        LegRecord memory record = _dispatch(destination, message);
        _legs[requestId][leg] = record;
        request.updatedAt = uint64(block.timestamp);
        emit RequestDispatched(requestId, xcmPrecompile, record.destinationHash, record.messageHash);
        emit RequestLegDispatched(
            requestId, leg, msg.sender, record.destinationHash, record.messageHash, feeAmount
        );
    }

    /// @notice What `dispatchLeg` would send. The destination of a message that the hub executes itself is empty.
    function previewLegMessage(bytes32 requestId, uint8 leg, uint256 feeAmount)
        external
        view
        returns (bytes memory destination, bytes memory message, Weight memory maxWeight)
    {
        _requireLegOf(_known(requestId).context.kind, leg);
        (destination, message) = _message(requestId, leg, feeAmount);
        maxWeight = _weigh(message);
    }

    /// @notice Sends assets home that an ended request left on the venue's chain; a recovery is not sent again.
    function dispatchRecoveryHome(bytes32 requestId, uint256 amount, uint256 homeExecutionFee, uint64 nonce)
        external
        onlyOwner
        nonReentrant
        returns (bytes32 recoveryId)
    {
        _requireEnded(requestId);
        recoveryId = previewRecoveryHomeId(requestId, amount, homeExecutionFee, nonce);
        if (_recoveries[recoveryId].dispatched) return recoveryId;
        if (nonce == 0 || homeExecutionFee == 0 || amount <= homeExecutionFee) revert InvalidRequest();
        uint256 outstanding = IHydrationAdapter(requestAdapter[requestId]).recoveryAssetsOutstanding(requestId);
        if (amount > outstanding) revert InvalidSettlement();
        (bytes memory destination, bytes memory message) =
            previewRecoveryHomeMessage(requestId, amount, homeExecutionFee, nonce);
        LegRecord memory record = _dispatch(destination, message);
        _recoveries[recoveryId] = record;
        emit RecoveryHomeDispatched(
            requestId, recoveryId, amount, homeExecutionFee, nonce, record.destinationHash, record.messageHash
        );
    }

    /// @notice Passes assets that came home to the adapter of the ended request.
    function releaseRecoveredAssetsToAdapter(bytes32 requestId, uint256 assets) external onlyOwner nonReentrant {
        RequestRecord storage request = _requireEnded(requestId);
        address adapter = requestAdapter[requestId];
        uint256 released = requestRecoveryReleased[requestId] + assets;
        if (assets == 0 || released > request.context.assets) revert InvalidSettlement();
        requestRecoveryReleased[requestId] = released;
        uint256 before = IERC20(request.context.asset).balanceOf(adapter);
        _push(request.context.asset, adapter, assets);
        if (IERC20(request.context.asset).balanceOf(adapter) != before + assets) revert CustodyMismatch();
        emit RecoveredAssetsReleased(requestId, adapter, assets);
    }

    /// @notice One leg of a request; all zero for a leg that was not dispatched.
    function getRequestLeg(bytes32 requestId, uint8 leg) external view returns (LegRecord memory) {
        return _legs[requestId][leg];
    }

    /// @notice The message of one recovery; all zero for one that was not dispatched.
    function getRecoveryHomeLeg(bytes32 recoveryId) external view returns (LegRecord memory) {
        return _recoveries[recoveryId];
    }

    /// @notice The id of a recovery, also of one that was not dispatched.
    function previewRecoveryHomeId(bytes32 requestId, uint256 amount, uint256 homeExecutionFee, uint64 nonce)
        public
        view
        returns (bytes32 recoveryId)
    {
        return keccak256(abi.encode(block.chainid, address(this), requestId, amount, homeExecutionFee, nonce));
    }

    /// @notice What `dispatchRecoveryHome` would send.
    function previewRecoveryHomeMessage(bytes32 requestId, uint256 amount, uint256 homeExecutionFee, uint64)
        public
        view
        returns (bytes memory destination, bytes memory message)
    {
        _known(requestId);
        return (XcmMessages.VENUE, XcmMessages.home(amount, homeExecutionFee, address(this)));
    }

    function _requireEnded(bytes32 requestId) private view returns (RequestRecord storage request) {
        request = _known(requestId);
        if (request.status != RequestStatuses.FAILED && request.status != RequestStatuses.CANCELLED) {
            revert InvalidTransition();
        }
    }

    function _requireLegOf(uint8 kind, uint8 leg) private pure {
        if (leg > WITHDRAW_HOME || _legsOf(kind) & (1 << leg) == 0) revert InvalidRequest();
    }

    function _requireDispatchable(bytes32 requestId, uint8 leg, uint256 feeAmount) private view {
        if (_requests[requestId].status != RequestStatuses.PENDING) revert InvalidTransition();
        bool isSecond = leg == DEPOSIT_SELL || leg == WITHDRAW_HOME;
        if (isSecond && requestDispatchBitmap[requestId] & (1 << (leg - 1)) == 0) revert InvalidTransition();
        RequestParameters storage parameters = _parameters[requestId];
        if (feeAmount > (leg == DEPOSIT_FUNDING ? 0 : parameters.maxFeePerLeg)) revert FeeAboveMaximum();
        if (leg != DEPOSIT_FUNDING && feeAmount == 0) revert InvalidRequest();
        uint64 deadline = parameters.dispatchDeadline;
        if (deadline != 0 && block.timestamp > deadline) revert DispatchDeadlineExpired();
    }

    /// @dev The precompile takes the assets from this contract, so exactly those of the request must have arrived.
    function _takeCustody(bytes32 requestId, RequestContext storage context) private {
        uint256 before = IERC20(context.asset).balanceOf(address(this));
        IHydrationAdapter(requestAdapter[requestId]).releaseAssetsToWrapper(requestId, context.assets);
        if (IERC20(context.asset).balanceOf(address(this)) != before + context.assets) revert CustodyMismatch();
    }

    function _message(bytes32 requestId, uint8 leg, uint256 feeAmount)
        private
        view
        returns (bytes memory destination, bytes memory message)
    {
        RequestContext storage context = _requests[requestId].context;
        if (leg == DEPOSIT_FUNDING) return ("", XcmMessages.fund(context.assets, hydrationAccountId32));
        destination = XcmMessages.VENUE;
        RequestParameters storage parameters = _parameters[requestId];
        if (leg == WITHDRAW_HOME) {
            // The fee comes on top, so that at least the minimum arrives.
            uint256 amount = parameters.minimumOutput + feeAmount;
            return (destination, XcmMessages.home(amount, feeAmount, requestAdapter[requestId]));
        }
        bool toShares = leg == DEPOSIT_SELL;
        message = XcmMessages.sell(
            toShares, parameters.sellAmount, parameters.minimumOutput, feeAmount, hydrationAccountId32
        );
    }

    function _dispatch(bytes memory destination, bytes memory message) private returns (LegRecord memory) {
        Weight memory weight = _weigh(message);
        if (destination.length == 0) {
            try IXcm(xcmPrecompile).execute(message, weight) {}
            catch (bytes memory reason) {
                revert XcmDispatchFailed(reason);
            }
        } else {
            try IXcm(xcmPrecompile).send(destination, message) {}
            catch (bytes memory reason) {
                revert XcmDispatchFailed(reason);
            }
        }
        return LegRecord(keccak256(destination), keccak256(message), weight.refTime, weight.proofSize, true);
    }

    function _weigh(bytes memory message) private view returns (Weight memory) {
        if (xcmPrecompile.code.length == 0) revert XcmPrecompileUnavailable();
        return IXcm(xcmPrecompile).weighMessage(message);
    }
}
