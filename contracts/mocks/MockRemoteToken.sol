// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @title MockRemoteToken
/// @notice A token of the venue's chain, on the local chain: the script of the remote side sets balances.
contract MockRemoteToken {
    mapping(address account => uint256) public balanceOf;

    /// @notice Sets what an account holds.
    function setBalance(address account, uint256 amount) external {
        balanceOf[account] = amount;
    }
}
