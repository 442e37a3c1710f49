// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {EscrowBase} from "./EscrowBase.sol";

/// @notice Public marks that the content behind a hash was disclosed.
abstract contract EscrowDisclosure is EscrowBase {
    event Disclosed(bytes32 indexed hash, address indexed byWallet, uint64 timestamp);
    event AutoDisclosed(bytes32 indexed hash, uint64 timestamp);

    error AlreadyAutoDisclosed();

    mapping(bytes32 hash => bool) public autoDisclosed;

    modifier onlyDisclosurePublisher() {
        _requireRole(policy.verifiers(msg.sender) || msg.sender == policy.owner());
        _;
    }

    /// @notice Marks a hash as disclosed by the caller; may be repeated.
    function disclose(bytes32 hash) external whenNotPaused {
        emit Disclosed(hash, msg.sender, uint64(block.timestamp));
    }

    /// @notice Marks a hash as disclosed by a wallet.
    function discloseFor(bytes32 hash, address byWallet) external whenNotPaused onlyDisclosurePublisher {
        emit Disclosed(hash, byWallet, uint64(block.timestamp));
    }

    /// @notice Marks a hash as disclosed by rule, once.
    function autoDisclose(bytes32 hash) external whenNotPaused onlyDisclosurePublisher {
        if (autoDisclosed[hash]) revert AlreadyAutoDisclosed();
        autoDisclosed[hash] = true;
        emit AutoDisclosed(hash, uint64(block.timestamp));
    }
}
