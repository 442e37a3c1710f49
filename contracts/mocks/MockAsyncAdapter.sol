// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {Weight} from "../lib/StrategyInterfaces.sol";
import {TokenMoves} from "../lib/TokenMoves.sol";

/// @title MockAsyncAdapter
/// @notice A yield source for tests that answers later: it holds the tokens and does what settlement says.
contract MockAsyncAdapter is TokenMoves {
    struct Request {
        address requester;
        address recipient;
        uint256 assets;
        uint256 shares;
    }

    address public immutable asset;
    bytes32 public immutable strategyId;
    uint256 public totalAssets;
    uint256 public totalShares;
    uint256 public pendingDepositAssets;
    /// @notice Makes the next request answer with a wrong id.
    bool public confused;
    /// @notice What the next deposit request calls back into its caller; empty for nothing.
    bytes public callback;
    mapping(bytes32 requestId => Request) public requests;

    constructor(address asset_, bytes32 strategyId_) {
        asset = asset_;
        strategyId = strategyId_;
    }

    /// @notice Switches the wrong answers on or off.
    function setConfused(bool confused_) external {
        confused = confused_;
    }

    /// @notice Arms or disarms the call back.
    function setCallback(bytes calldata callback_) external {
        callback = callback_;
    }

    /// @notice Takes the tokens and remembers the request.
    function requestDeposit(
        address account,
        uint256 assets,
        bytes calldata,
        bytes calldata,
        Weight calldata,
        uint64 nonce
    ) external returns (bytes32 requestId) {
        if (callback.length != 0) _callBack();
        _pull(asset, msg.sender, assets);
        pendingDepositAssets += assets;
        return _remember(0, account, account, assets, 0, nonce);
    }

    /// @notice Remembers the request.
    function requestWithdraw(
        address account,
        uint256 shares,
        address recipient,
        bytes calldata,
        bytes calldata,
        Weight calldata,
        uint64 nonce
    ) external returns (bytes32 requestId) {
        return _remember(1, account, recipient, 0, shares, nonce);
    }

    /// @notice Books a success (status 2) or undoes the request.
    function settleRequest(
        bytes32 requestId,
        uint8 status,
        uint256 settledAssets,
        uint256 settledShares,
        bytes32,
        bytes32
    ) external {
        Request memory request = requests[requestId];
        bool succeeded = status == 2;
        if (request.shares == 0) {
            pendingDepositAssets -= request.assets;
            if (!succeeded) return _push(asset, request.requester, request.assets);
            totalAssets += settledAssets;
            totalShares += settledShares;
        } else if (succeeded) {
            totalAssets -= settledAssets;
            totalShares -= request.shares;
            _push(asset, request.recipient, settledAssets);
        }
    }

    /// @notice How the registry labels this source.
    function riskLabel() external pure returns (string memory) {
        return "mock-async";
    }

    function _callBack() private {
        (bool ok, bytes memory answer) = msg.sender.call(callback);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function _remember(uint8 kind, address account, address recipient, uint256 assets, uint256 shares, uint64 nonce)
        private
        returns (bytes32 requestId)
    {
        requestId = keccak256(abi.encode(strategyId, kind, account, asset, recipient, assets, shares, nonce));
        requests[requestId] = Request(msg.sender, recipient, assets, shares);
        if (confused) return bytes32(0);
    }
}
