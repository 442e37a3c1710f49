// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IXcm} from "../lib/CrossChainInterfaces.sol";
import {Weight} from "../lib/StrategyInterfaces.sol";

/// @title MockXcmPrecompile
/// @notice Stands in for the cross-chain precompile: it keeps each message, and moves tokens only as the script of the remote side says.
contract MockXcmPrecompile is IXcm {
    struct Message {
        address sender;
        /// @dev Empty for a message that the hub executes itself.
        bytes destination;
        bytes message;
        uint64 refTime;
        uint64 proofSize;
    }

    /// @notice What the next calls revert with; empty for nothing.
    bytes public refusal;
    Message[] private _messages;

    /// @notice Makes the next messages fail, or pass again.
    function refuse(bytes calldata refusal_) external {
        refusal = refusal_;
    }

    /// @inheritdoc IXcm
    function execute(bytes calldata message, Weight calldata maxWeight) external {
        _keep(Message(msg.sender, "", message, maxWeight.refTime, maxWeight.proofSize));
    }

    /// @inheritdoc IXcm
    function send(bytes calldata destination, bytes calldata message) external {
        _keep(Message(msg.sender, destination, message, 0, 0));
    }

    /// @inheritdoc IXcm
    function weighMessage(bytes calldata message) external pure returns (Weight memory) {
        return Weight(uint64(1_000_000 * message.length), uint64(100 * message.length));
    }

    /// @notice All messages in the order of arrival.
    function messages() external view returns (Message[] memory) {
        return _messages;
    }

    function _keep(Message memory message) private {
        bytes memory reason = refusal;
        if (reason.length != 0) {
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
        _messages.push(message);
    }
}
